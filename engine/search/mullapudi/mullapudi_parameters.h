// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/parameters.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::search {

// The parameters of Mullapudi et al. 2016 for a GPU (section 5.4), by the paper's names.
struct MullapudiParameters {
  double parallelismThreshold = 128;  // PARALLELISM_THRESHOLD: least number of tiles
  double vectorWidth = 32;            // VECTOR_WIDTH: least size of a tile's innermost dimension
  double cacheSize = 48. * 1024;      // CACHE_SIZE, in bytes
  double targetThreadsPerBlock = 128; // TARGET_THREADS_PER_BLOCK: least threads of a tile
  double maxThreadsPerBlock = 2048;   // MAX_THREADS_PER_BLOCK
  double loadCost = 10;               // LOAD_COST; the paper states it for CPUs only
  // What a division costs, where most operations cost 1. The paper says "higher" (section 4.1).
  double divisionCost = 5;
  // The only tile of polymage-like (section 5.1).
  double tileX = 32, tileY = 8;

  friend bool operator==(const MullapudiParameters &, const MullapudiParameters &) = default;
};

// The parameters that the user of `mullapudi`, `mullapudi-baseline` and `polymage-like` may change.
const ParameterTable &mullapudiTable();
const ParameterTable &mullapudiBaselineTable();
const ParameterTable &polymageTable();

// The parameters with the given values.
MullapudiParameters mullapudiParameters(const ParameterValues &values);

// The parameters as far as a machine allows, and a line for each that is changed.
struct FittedParameters {
  MullapudiParameters parameters;
  std::vector<std::string> remarks;
};
FittedParameters fitted(MullapudiParameters parameters, const machine::Machine &machine);

} // namespace tessera::search
