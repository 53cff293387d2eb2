// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_parameters.h"

#include "engine/search/parameter_rows.h"

#include <algorithm>
#include <array>

namespace tessera::search {

namespace {

struct Row {
  Parameter parameter;
  double MullapudiParameters::*member = nullptr;
};

constexpr double kMostBytes = 1 << 30, kMostTiles = 1e9, kMostCost = 1e6;
constexpr double kMostThreads = 1 << 20, kMostTile = 65536;

constexpr MullapudiParameters kStandard;
constexpr Row row(std::string_view name, double MullapudiParameters::*member, double least,
                  double most, std::string_view description, bool isWhole = true) {
  return {{name, description, kStandard.*member, least, most, isWhole}, member};
}

// In an order in which the first rows are those of an algorithm that needs few.
constexpr std::array kRows{
    row("VECTOR_WIDTH", &MullapudiParameters::vectorWidth, 1, kMostThreads,
        "least size of a tile's innermost dimension"),
    row("TARGET_THREADS_PER_BLOCK", &MullapudiParameters::targetThreadsPerBlock, 1, kMostThreads,
        "least threads of a block"),
    row("MAX_THREADS_PER_BLOCK", &MullapudiParameters::maxThreadsPerBlock, 1, kMostThreads,
        "most threads of a block"),
    row("PARALLELISM_THRESHOLD", &MullapudiParameters::parallelismThreshold, 1, kMostTiles,
        "least tiles of a group"),
    row("CACHE_SIZE", &MullapudiParameters::cacheSize, 1, kMostBytes,
        "bytes that a tile may need of fast memory"),
    row("LOAD_COST", &MullapudiParameters::loadCost, 0, kMostCost,
        "operations that a load of memory costs", false),
    row("DIVISION_COST", &MullapudiParameters::divisionCost, 0, kMostCost,
        "operations that a division costs", false),
    row("TILE_X", &MullapudiParameters::tileX, 1, kMostTile,
        "size of the tile in the first tiled dimension"),
    row("TILE_Y", &MullapudiParameters::tileY, 1, kMostTile,
        "size of the tile in the second tiled dimension"),
};
constexpr std::size_t kOfBaseline = 3, kOfMullapudi = 7; // rows of each

constexpr auto kParameters = parametersIn(kRows);

using Value = std::pair<std::string_view, double>;
// Halide's autoscheduler of the same authors, where it is told to schedule for a GPU.
constexpr std::array kArtifact{Value{"LOAD_COST", 20}, Value{"DIVISION_COST", 1}};
constexpr std::array kPresets{
    Preset{"artifact", "what Halide's own version uses where the paper gives no number for GPUs",
           kArtifact}};

// Section 5.1: the small search "varies only CACHE_SIZE (32,128,256 KB) and LOAD_COST (10,20)". A
// block of a GPU has at most 48 KB.
constexpr double kKb = 1024;
constexpr std::array kCaches6{16 * kKb, 32 * kKb, 48 * kKb};
constexpr std::array kLoads6{10., 20.};
constexpr std::array kAxes6{ParameterGrid::Axis{"CACHE_SIZE", kCaches6},
                            ParameterGrid::Axis{"LOAD_COST", kLoads6}};

// The large search has 1,152 points: 4 thresholds, 16 costs, 3 widths and 6 sizes. For CPUs as in
// the paper, and as many with the values of a GPU around those of section 5.4.
constexpr std::array kLoads16{5.,  10., 15., 20., 25., 30., 35., 40.,
                              45., 50., 55., 60., 65., 70., 75., 80.};
constexpr std::array kTilesOfCpu{6., 12., 18., 24.}, kTilesOfGpu{64., 128., 256., 512.};
constexpr std::array kWidthsOfCpu{4., 8., 16.}, kWidthsOfGpu{16., 32., 64.};
constexpr std::array kCachesOfCpu{16 * kKb, 32 * kKb, 64 * kKb, 128 * kKb, 256 * kKb, 512 * kKb};
constexpr std::array kCachesOfGpu{8 * kKb, 16 * kKb, 24 * kKb, 32 * kKb, 40 * kKb, 48 * kKb};
constexpr std::array kAxesOfCpu{ParameterGrid::Axis{"PARALLELISM_THRESHOLD", kTilesOfCpu},
                                ParameterGrid::Axis{"LOAD_COST", kLoads16},
                                ParameterGrid::Axis{"VECTOR_WIDTH", kWidthsOfCpu},
                                ParameterGrid::Axis{"CACHE_SIZE", kCachesOfCpu}};
constexpr std::array kAxesOfGpu{ParameterGrid::Axis{"PARALLELISM_THRESHOLD", kTilesOfGpu},
                                ParameterGrid::Axis{"LOAD_COST", kLoads16},
                                ParameterGrid::Axis{"VECTOR_WIDTH", kWidthsOfGpu},
                                ParameterGrid::Axis{"CACHE_SIZE", kCachesOfGpu}};
constexpr std::array kGrids{
    ParameterGrid{"6", "three cache sizes and two costs of a load", kAxes6},
    ParameterGrid{"1152", "all parameters, around those of a GPU", kAxesOfGpu},
    ParameterGrid{"1152-cpu", "all parameters, with the paper's values for CPUs", kAxesOfCpu}};

// "seven tile sizes in each spatial dimension and three LOAD_COST factors (10,20,40)". The paper
// does not say which sizes.
constexpr std::array kTileSizes{4., 8., 16., 32., 64., 128., 256.};
constexpr std::array kLoads147{10., 20., 40.};
constexpr std::array kAxes147{ParameterGrid::Axis{"TILE_X", kTileSizes},
                              ParameterGrid::Axis{"TILE_Y", kTileSizes},
                              ParameterGrid::Axis{"LOAD_COST", kLoads147}};
constexpr std::array kPolymageGrids{
    ParameterGrid{"147", "seven tile sizes in each dimension, three costs of a load", kAxes147}};

constexpr ParameterTable kTable{std::span(kParameters).first(kOfMullapudi), kPresets, kGrids};
constexpr ParameterTable kBaseline{std::span(kParameters).first(kOfBaseline), {}, {}};
constexpr ParameterTable kPolymage{kParameters, kPresets, kPolymageGrids};

std::string numberText(double value) { return std::to_string(static_cast<std::int64_t>(value)); }

} // namespace

const ParameterTable &mullapudiTable() { return kTable; }
const ParameterTable &mullapudiBaselineTable() { return kBaseline; }
const ParameterTable &polymageTable() { return kPolymage; }

MullapudiParameters mullapudiParameters(const ParameterValues &values) {
  MullapudiParameters parameters;
  for (const Row &row : kRows)
    if (const auto given = values.find(row.parameter.name); given != values.end())
      parameters.*row.member = given->second;
  return parameters;
}

FittedParameters fitted(MullapudiParameters parameters, const machine::Machine &machine) {
  FittedParameters result{parameters, {}};
  const auto limit = [&](double MullapudiParameters::*member, std::string_view name,
                         std::int64_t most, std::string_view what) {
    double &value = result.parameters.*member;
    if (value <= static_cast<double>(most)) return;
    result.remarks.push_back(std::string(name) + " is " + numberText(value) + ", but " +
                             std::string(what) + " of this GPU is " + std::to_string(most) +
                             ", which is used");
    value = static_cast<double>(most);
  };
  const machine::Limits &limits = machine.limits;
  limit(&MullapudiParameters::maxThreadsPerBlock, "MAX_THREADS_PER_BLOCK", limits.threadsPerBlock,
        "the largest block");
  limit(&MullapudiParameters::targetThreadsPerBlock, "TARGET_THREADS_PER_BLOCK",
        static_cast<std::int64_t>(result.parameters.maxThreadsPerBlock), "the largest block");
  limit(&MullapudiParameters::cacheSize, "CACHE_SIZE", limits.sharedBytesPerBlock,
        "the shared memory of a block");
  return result;
}

} // namespace tessera::search
