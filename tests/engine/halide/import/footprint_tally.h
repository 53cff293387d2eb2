// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tessera::halide::testing {

// Compares the engine's footprints with Halide's own boxes, over random tiles at random positions.
struct FootprintTally {
  int edges = 0;
  int affineEdges = 0; // edges where every index of every load is affine
  int exact = 0;       // edges whose box is Halide's, or tighter and still right, for every tile
  int affineExact = 0;
  int tighter =
      0; // those of `exact` whose box lies inside Halide's and is right at every tried point
  std::vector<std::string> inexactAffine;
  std::map<std::string, int> covers; // by recorded reason: number of boxes that contain Halide's
  std::map<std::string, int> whole;
  std::vector<std::string> mismatches; // boxes that are neither equal, tighter nor containing: bugs

  void add(const FootprintTally &other);
};

FootprintTally compareFootprints(const PreparedPipeline &prepared,
                                 const pipeline::PipelineParts &parts, int tilesPerStage,
                                 std::mt19937_64 &random);

} // namespace tessera::halide::testing
