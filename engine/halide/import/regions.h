// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tessera::halide {

// The box that one stage needs of each func and input, by name, when its loops run over `ranges`.
// Halide computes these boxes. An end is infinite where Halide's box has no constant end.
std::map<std::string, pipeline::Box> requiredBoxes(const StageSource &stage,
                                                   const std::vector<pipeline::LoopDim> &loops,
                                                   std::span<const pipeline::Interval> ranges,
                                                   const Halide::Internal::FuncValueBounds &values);

// Whether a reduction variable of the stage is empty under the estimates, as that of what whole
// vectors leave over may be. Halide compiles such a stage, and it does nothing.
bool neverRuns(const StageSource &stage);

// The loops of a stage in Halide's default order, innermost first. A pure definition has its
// arguments; an update has its reduction variables, then its remaining pure arguments. The pure
// loops run over the box `need`. An empty loop counts as one iteration, since it has to be
// scheduled all the same.
Result<std::vector<pipeline::LoopDim>> loopsOf(const Graph &graph, const StageSource &stage,
                                               const pipeline::Box &need);

struct Regions {
  std::vector<pipeline::Box> funcs;                               // in the order of Graph::funcs
  std::vector<std::vector<std::vector<pipeline::LoopDim>>> loops; // indexed by [func][stage]
  std::vector<pipeline::Box> inputs; // in the order of Graph::inputs; empty: never read
  // The funcs whose region has no bounds, and which Halide can inline. No memory holds such a
  // region, so these funcs can be nothing but inlined.
  std::vector<std::uint32_t> unbounded;
};

// What is wrong with a func whose region has no bounds.
Error withoutBounds(const FuncSource &func, const pipeline::Box &region);

// Computes regions from the outputs backward, as Halide's bounds inference does. A stage runs over
// the region that consumers and later stages of its func need. The stages before an update must
// also cover the region of their func that the update reads and writes. An extern stage reads what
// the estimates say, since Halide would ask its function. It is an error if the region of a func
// that cannot be inlined has no bounds.
Result<Regions> computeRegions(const Graph &graph, const Estimates &estimates,
                               const PhaseCallback &phase = {});

} // namespace tessera::halide
