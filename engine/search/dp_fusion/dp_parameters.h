// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/parameters.h"

#include <array>
#include <cstddef>

namespace tessera::search {

// What the user of `dp-fusion` may change: the weights of algorithm 2 of Jangda and Guha 2020, and
// the bounds of its search.
struct DpParameters {
  // w1 to w7 of line 35, for a Tesla V100 (table 3): transactions, occupancy, memory time by
  // compute time, shared memory and registers that nobody uses, overlap, load imbalance.
  std::array<double, 7> weights{50, 0.5, 60, 10, 2, 100, 1};
  double maxRegisters = 256;      // MaxRegPerTh of table 1
  double maxTile = 32;            // "tile sizes from 1 to 32 in each dimension" (section 7.1)
  double allTiles = 1;            // 1: all of these for every group; 0: powers of two until the end
  double transactionsPerTile = 1; // 1: line 17 as it is printed; 0: without its tile size
  double maxGroups = 20000;       // groups of several funcs whose cost is asked for

  double weight(std::size_t number) const { return weights[number - 1]; } // as the paper counts
  friend bool operator==(const DpParameters &, const DpParameters &) = default;
};

const ParameterTable &dpFusionTable();

// The parameters with the given values.
DpParameters dpParameters(const ParameterValues &values);

} // namespace tessera::search
