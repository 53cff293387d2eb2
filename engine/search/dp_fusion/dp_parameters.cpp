// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_parameters.h"

#include <string>

namespace tessera::search {

namespace {

constexpr double kMostWeight = 1e6, kMostRegisters = 1e4, kMostTile = 1024, kMostGroups = 1e7;

constexpr DpParameters kStandard;

constexpr Parameter weight(std::string_view name, std::size_t number,
                           std::string_view description) {
  return {name, description, kStandard.weights[number - 1], 0, kMostWeight, false};
}

// The weights come first, in their order.
constexpr std::array kParameters{
    weight("W1", 1, "weight of a global memory transaction"),
    weight("W2", 2, "weight of missing occupancy"),
    weight("W3", 3, "weight of memory time divided by compute time"),
    weight("W4", 4, "weight of shared memory that no block uses"),
    weight("W5", 5, "weight of registers that no thread uses"),
    weight("W6", 6, "weight of the fraction of redundant computations"),
    weight("W7", 7, "weight of blocks beyond whole waves"),
    Parameter{"MAX_REG_PER_TH", "most registers of a thread, summed over the stages of a group",
              kStandard.maxRegisters, 1, kMostRegisters},
    Parameter{"MAX_TILE", "largest tile size in a dimension", kStandard.maxTile, 1, kMostTile},
    Parameter{"ALL_TILES",
              "0: try all tile sizes for chosen groups alone, for others powers of two",
              kStandard.allTiles, 0, 1},
    Parameter{"TXS_PER_TILE",
              "0: count the transactions of one point, not those of a tile (line 17)",
              kStandard.transactionsPerTile, 0, 1},
    Parameter{"MAX_GROUPS", "most groups of several funcs whose cost is asked for",
              kStandard.maxGroups, 0, kMostGroups},
};
constexpr std::array kMembers{&DpParameters::maxRegisters, &DpParameters::maxTile,
                              &DpParameters::allTiles, &DpParameters::transactionsPerTile,
                              &DpParameters::maxGroups};
static_assert(kParameters.size() ==
              std::tuple_size_v<decltype(DpParameters::weights)> + kMembers.size());

// Table 3.
using Value = std::pair<std::string_view, double>;
constexpr std::array kGtx1080Ti{Value{"W1", 50}, Value{"W2", 0.5}, Value{"W3", 45}, Value{"W4", 20},
                                Value{"W5", 2},  Value{"W6", 100}, Value{"W7", 1}};
constexpr std::array kV100{Value{"W1", 50}, Value{"W2", 0.5}, Value{"W3", 60}, Value{"W4", 10},
                           Value{"W5", 2},  Value{"W6", 100}, Value{"W7", 1}};
// Fitted as the paper does: tests/campaigns/searches/LOG.md, 2026-11-30.
constexpr std::array kH200{Value{"W1", 50}, Value{"W2", 0.5}, Value{"W3", 30}, Value{"W4", 40},
                           Value{"W5", 2},  Value{"W6", 300}, Value{"W7", 3}};
constexpr std::array kPresets{
    Preset{"gtx-1080-ti", "the paper's weights for a GTX 1080Ti (table 3)", kGtx1080Ti},
    Preset{"h200", "weights that were fitted to ten samples on an H200", kH200},
    Preset{"v100", "the paper's weights for a Tesla V100 (table 3)", kV100}};

// The weights that differ between the paper's GPUs, for a refit by measuring.
constexpr std::array kW3{30., 45., 60., 75.}, kW4{5., 10., 20., 40.};
constexpr std::array kW6{50., 100., 200.};
constexpr std::array kAxes{ParameterGrid::Axis{"W3", kW3}, ParameterGrid::Axis{"W4", kW4},
                           ParameterGrid::Axis{"W6", kW6}};
constexpr std::array kGrids{ParameterGrid{"48", "weights around those of table 3", kAxes}};

constexpr ParameterTable kTable{kParameters, kPresets, kGrids};

} // namespace

const ParameterTable &dpFusionTable() { return kTable; }

DpParameters dpParameters(const ParameterValues &values) {
  DpParameters parameters;
  for (std::size_t i = 0; i < kParameters.size(); ++i) {
    const auto given = values.find(kParameters[i].name);
    if (given == values.end()) continue;
    const std::size_t weights = parameters.weights.size();
    (i < weights ? parameters.weights[i] : parameters.*kMembers[i - weights]) = given->second;
  }
  return parameters;
}

} // namespace tessera::search
