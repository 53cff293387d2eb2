// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/halide/import/regions.h"

#include <string>
#include <vector>

namespace tessera::halide {

// An estimate with which the pipeline cannot run.
struct EstimateConflict {
  std::string name;  // of the input or output
  std::string text;  // what contradicts the estimate, for the user
  pipeline::Box fit; // the nearest size that does not; empty: none, because the size is promised
};

// Compares the estimates with the sizes that the generator promises, then with the regions that the
// pipeline needs. The latter follow from the former, so broken promises are reported alone.
std::vector<EstimateConflict> conflictsOf(const Graph &graph, const Estimates &estimates,
                                          const Regions &regions);

} // namespace tessera::halide
