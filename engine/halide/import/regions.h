// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/graph.h"
#include "engine/pipeline/pipeline.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tessera::halide {

// Halide's own answer: what one stage needs of each func and input, by name, when its loops run
// over `ranges`. Infinite where Halide's box has no constant end.
std::map<std::string, pipeline::Box> requiredBoxes(const StageSource &stage,
                                                   const std::vector<pipeline::LoopDim> &loops,
                                                   std::span<const pipeline::Interval> ranges,
                                                   const Halide::Internal::FuncValueBounds &values);

// The loops of a stage in Halide's default order, innermost first: the arguments of a pure
// definition; reduction variables, then the pure arguments that are left, of an update. `need` is
// the box that the pure ones run over.
Result<std::vector<pipeline::LoopDim>> loopsOf(const Graph &graph, const StageSource &stage,
                                               const pipeline::Box &need);

struct Regions {
  std::vector<pipeline::Box> funcs;                               // as Graph::funcs
  std::vector<std::vector<std::vector<pipeline::LoopDim>>> loops; // [func][stage]
  std::vector<pipeline::Box> inputs; // as Graph::inputs; empty where nothing is read
};

// From the outputs backward, as Halide's bounds inference does: a stage runs over what consumers
// and later stages of its func need, and the earlier stages also cover what an update reads and
// writes.
Result<Regions> computeRegions(const Graph &graph,
                               const std::vector<std::vector<pipeline::Estimate>> &outputs);

} // namespace tessera::halide
