// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_cost.h"
#include "engine/search/mullapudi/singleton_scan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::search {

// A group with its tile, and what it costs as long as it is not merged.
struct MullapudiKernel {
  MullapudiGroup group;
  std::vector<std::int64_t> tile;          // by dimension of the output; empty: SINGLE_ELEMENT_TILE
  std::optional<SingletonTile> reductions; // of a group that listing 1 has tiled
  double arithmetic = 0, loads = 0;        // of the whole output

  double cost(const MullapudiParameters &parameters) const {
    return arithmetic + parameters.loadCost * loads;
  }
};

// A group of one func at SINGLE_ELEMENT_TILE.
MullapudiKernel singleElementKernel(const pipeline::Pipeline &pipeline, pipeline::FuncId func,
                                    std::vector<pipeline::FuncId> inlined,
                                    const MullapudiParameters &parameters);

// Two groups as one, with the output of the consumer.
MullapudiGroup mergedGroup(const MullapudiGroup &producer, const MullapudiGroup &consumer);

} // namespace tessera::search
