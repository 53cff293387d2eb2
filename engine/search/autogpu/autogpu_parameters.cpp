// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_parameters.h"

#include "engine/search/parameter_rows.h"

#include <array>
#include <type_traits>

namespace tessera::search {

namespace {

constexpr AutoGpuParameters kPaper;

struct Row {
  Parameter parameter;
  void (*set)(AutoGpuParameters &, double) = nullptr;
  double artifact = 0; // the value in the authors' code
};

constexpr std::array<std::string_view, 2> kReadings{"paper", "artifact"};
constexpr std::array<std::string_view, 2> kOverlaps{"inner", "paper"};
constexpr std::array<std::string_view, 2> kOrders{"declared", "stride"};
constexpr std::array<std::string_view, 2> kInlinings{"tiled", "untiled"};
constexpr std::array<std::string_view, 2> kTrivials{"once", "repeated"};
constexpr std::array<std::string_view, 2> kStores{"ignored", "counted"};
constexpr std::array<std::string_view, 2> kWides{"allowed", "never"};

template <auto Member>
void set(AutoGpuParameters &parameters, double value) {
  auto &member = parameters.*Member;
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

// A number, with its value in the authors' code.
template <auto Member>
constexpr Row number(std::string_view name, double least, double most, double artifact,
                     std::string_view description) {
  constexpr auto standard = kPaper.*Member;
  return {{name, description, static_cast<double>(standard), least, most,
           !std::is_floating_point_v<decltype(standard)>},
          set<Member>,
          artifact};
}

// A choice of two words, the first of which is our reading of the paper.
template <auto Member>
constexpr Row choice(std::string_view name, std::span<const std::string_view> words,
                     std::string_view description) {
  return {{name, description, 0, 0, 1, true, words}, set<Member>, 1};
}

using P = AutoGpuParameters;
constexpr double kMostCost = 1e6, kMostTransaction = 1024, kMostRegisters = 255, kMostUnrolled = 16;
constexpr double kLeastCap = 16, kMostThreads = 1024;
constexpr std::array kRows{
    number<&P::balance>("BALANCE", 0, kMostCost, 40,
                        "operations that a transaction with global memory costs"),
    number<&P::transactionBytes>("TRANSACTION_BYTES", 1, kMostTransaction, 128,
                                 "bytes of the largest transaction"),
    number<&P::occupancyThreshold>("OCCUPANCY_THRESHOLD", 0, 1, .1, "least occupancy of a kernel"),
    number<&P::registers>("REGISTERS", 1, kMostRegisters, 64,
                          "registers that each thread is assumed to need"),
    choice<&P::loads>("LOADS", kReadings,
                      "price of loads: by transactions and latencies, or by bytes and footprints"),
    number<&P::sharedCost>("SHARED_COST", 0, kMostCost, 1,
                           "with LOADS=artifact: most that a byte of shared memory costs"),
    number<&P::l2Cost>("L2_COST", 0, kMostCost, 200,
                       "with LOADS=artifact: most that a byte of global memory costs"),
    choice<&P::coalescing>("COALESCING", kReadings,
                           "loads that share a transaction: bytes in a row of the buffer, or "
                           "elements of the tile's first dimension, at most 64 bytes"),
    choice<&P::severe>("SEVERE", kReadings,
                       "kernels that are nested: with half of a block's shared memory or threads, "
                       "or by shared memory, occupancy and active threads"),
    choice<&P::activeSms>("ACTIVE_SMS", kReadings,
                          "active multiprocessors: one for each block, or by resident blocks"),
    number<&P::smallGroupOccupancy>("SMALL_GROUP_OCCUPANCY", 0, 1, .2,
                                    "least occupancy of a kernel with one or two funcs, if more"),
    number<&P::leastThreads>("LEAST_THREADS", 1, kMostThreads, 16,
                             "least threads of each func of a kernel"),
    choice<&P::tiledDims>("TILED_DIMS", kReadings,
                          "dimensions that are tiled: of 64 and more, or the first and the longest "
                          "of more than 16"),
    choice<&P::tileCeiling>("TILE_CEILING", kReadings,
                            "largest tile: by the extent, or also 128 bytes (64 in three "
                            "dimensions)"),
    choice<&P::overlap>("OVERLAP", kOverlaps,
                        "loops inside of one that is compared for reuse: whole, or one iteration"),
    number<&P::longestUnrolled>("UNROLL", 1, kMostUnrolled, 4,
                                "iterations of the longest loop that is unrolled"),
    choice<&P::loopOrder>("LOOP_ORDER", kOrders, "order of the loops inside of threads"),
    choice<&P::inlining>("INLINING", kInlinings, "costs by which funcs are inlined"),
    choice<&P::trivial>("TRIVIAL", kTrivials,
                        "how often funcs that are read point by point are looked for"),
    choice<&P::stores>("STORES", kStores, "whether stores cost as much as loads"),
    choice<&P::wide>("WIDE", kWides,
                     "tiles along short dimensions, where no other tiles are valid"),
    number<&P::registerCap>("REGISTER_CAP", kLeastCap, kMostRegisters, 255,
                            "registers that a thread of the schedule may have, as far as blocks "
                            "allow"),
};

constexpr auto kParameters = parametersIn(kRows);

using Value = std::pair<std::string_view, double>;
constexpr auto valuesOf(double (*valueOf)(const Row &)) {
  std::array<Value, kRows.size()> values{};
  for (std::size_t i = 0; i < kRows.size(); ++i)
    values[i] = {kRows[i].parameter.name, valueOf(kRows[i])};
  return values;
}
constexpr auto kPaperValues = valuesOf([](const Row &row) { return row.parameter.standard; });
constexpr auto kArtifactValues = valuesOf([](const Row &row) { return row.artifact; });
constexpr std::array kPresets{
    Preset{"paper", "AutoGPU's paper, as we read it; the standard", kPaperValues},
    Preset{"artifact", "what the public code of AutoGPU's authors does", kArtifactValues}};

constexpr ParameterTable kAutoGpuTable{kParameters, kPresets, {}};

} // namespace

const ParameterTable &autoGpuTable() { return kAutoGpuTable; }

AutoGpuParameters autoGpuParameters(const ParameterValues &values) {
  AutoGpuParameters parameters;
  for (const Row &row : kRows)
    if (const auto given = values.find(row.parameter.name); given != values.end())
      row.set(parameters, given->second);
  return parameters;
}

} // namespace tessera::search
