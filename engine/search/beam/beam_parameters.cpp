// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_parameters.h"

#include "engine/search/parameter_rows.h"

#include <array>
#include <string_view>

namespace tessera::search {

namespace {

struct Row {
  Parameter parameter;
  double BeamParameters::*member = nullptr;
};

constexpr double kMostSamples = 100'000, kMostBeam = 100'000, kMostRatio = 1e6;
constexpr double kMostIterations = 1024, kMostBytes = 1 << 20;
constexpr BeamParameters kStandard;

constexpr Row row(std::string_view name, double BeamParameters::*member, double least, double most,
                  std::string_view description, bool isWhole = true) {
  return {{name, description, kStandard.*member, least, most, isWhole}, member};
}

constexpr std::array<std::string_view, 2> kCosts{"analytic", "learned"};
constexpr std::array<std::string_view, 2> kSamplings{"buckets", "all"};
constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<std::string_view, 3> kStagings{"gaining", "always", "never"};

constexpr Row words(std::string_view name, double BeamParameters::*member,
                    std::span<const std::string_view> known, std::string_view description) {
  Row of = row(name, member, 0, static_cast<double>(known.size() - 1), description);
  of.parameter.words = known;
  return of;
}

constexpr std::array kRows{
    row("SAMPLES", &BeamParameters::samples, 1, kMostSamples,
        "schedules that are made: one by beam search, the others greedily"),
    row("RANK", &BeamParameters::rank, 1, kMostSamples,
        "which of these schedules is the result: 1 has the least cost"),
    row("BEAM", &BeamParameters::beam, 1, kMostBeam, "states that the beam search keeps"),
    row("PASSES", &BeamParameters::passes, 1, 7, "passes of the beam search"),
    row("KEEP_ALL", &BeamParameters::keepAll, 0, 100,
        "percent of greedy schedules that always take the best state", false),
    words("COST", &BeamParameters::cost, kCosts, "the cost model that ranks states"),
    words("SAMPLING", &BeamParameters::sampling, kSamplings,
          "which options are evaluated: a few of each bucket of alike ones, or all"),
    words("FREEZE", &BeamParameters::freeze, kSwitch,
          "whether a pre-pass decides all but the most expensive funcs"),
    words("STAGING", &BeamParameters::staging, kStagings,
          "whether what unrolled loops load is staged in registers"),
    row("PENALTY", &BeamParameters::penaltyTen, 0, kMostRatio,
        "times that a state counts as seen if it was far from the best in the pass before"),
    row("NEAR", &BeamParameters::near, 1, kMostRatio,
        "how near the best a state has to be, as a multiple of its cost", false),
    row("RECOMPUTE", &BeamParameters::recompute, 1, kMostRatio,
        "most points that are computed of a func, as a multiple of the least", false),
    row("IDLE_SMS", &BeamParameters::idleSms, 1, kMostRatio,
        "most time that multiprocessors wait for the last blocks, as a ratio", false),
    row("IDLE_LANES", &BeamParameters::idleLanes, 0, 1, "most lanes of warps that are idle", false),
    row("BLOCKS_PER_SM", &BeamParameters::blocksPerSm, 0, kMostIterations,
        "least blocks for each multiprocessor", false),
    row("SPLIT_WASTE", &BeamParameters::splitWaste, 1, kMostIterations,
        "a split may waste one part in so many of an outer dimension"),
    row("UNROLL_BELOW", &BeamParameters::unrollBelow, 1, kMostIterations,
        "serial loops with fewer iterations in all are unrolled"),
    row("MAX_UNROLLED", &BeamParameters::mostUnrolled, 1, kMostIterations,
        "most iterations of loops in a thread that keep a func in registers"),
    row("MAX_SERIAL", &BeamParameters::mostSerial, 1, kMostIterations,
        "most points that a thread computes of a func"),
    row("MAX_SERIAL_DIM", &BeamParameters::mostSerialDim, 1, kMostIterations,
        "most points that a thread computes along a dimension"),
    row("MAX_THREADS_DIM", &BeamParameters::mostThreadsDim, 1, kMostIterations,
        "most threads along a dimension other than the innermost"),
    row("THREAD_BYTES", &BeamParameters::threadBytes, 0, kMostBytes,
        "most bytes of a func that a thread keeps"),
    row("CHEAP", &BeamParameters::cheap, 0, kMostIterations,
        "operations and loads of a func that is always considered for inlining"),
};

constexpr auto kParameters = parametersIn(kRows);

using Value = std::pair<std::string_view, double>;
constexpr std::array kGreedy{Value{"SAMPLES", 1}, Value{"BEAM", 1}, Value{"PASSES", 1}};
constexpr std::array kOneBeam{Value{"SAMPLES", 1}};
constexpr std::array kPresets{
    Preset{"beam-sample", "the beam sample of a batch alone", kOneBeam},
    Preset{"greedy-sample", "one greedy schedule that always takes the best state", kGreedy}};

constexpr ParameterTable kTable{kParameters, kPresets};

} // namespace

const ParameterTable &beamTable() { return kTable; }

BeamParameters beamParameters(const ParameterValues &values) {
  BeamParameters parameters;
  for (const Row &row : kRows)
    if (const auto given = values.find(row.parameter.name); given != values.end())
      parameters.*row.member = given->second;
  return parameters;
}

} // namespace tessera::search
