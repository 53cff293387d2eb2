// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// The operations of one evaluation of the stage. The values of a tuple are counted together, a
// common subexpression counts once, and a load counts once for each distinct place. The arithmetic
// in an index, or in an argument of the left side, is not counted: on a GPU it becomes address
// arithmetic that depends on the schedule, not on the algorithm.
struct Operations {
  std::vector<pipeline::OpCount> all;
  std::vector<pipeline::SteadyOps> steady; // operations that depend on only some of the loops
};
// `own` is the func's name: a value that an update reads from its own func may differ in each
// iteration.
Operations countOperations(const StageSource &stage, const std::string &own,
                           const std::vector<pipeline::LoopDim> &loops);

// The kind of operation of a call; nullopt if the call only annotates a value.
std::optional<pipeline::OpKind> kindOfCall(const Halide::Internal::Call &call);

pipeline::ScalarType toScalarType(const Halide::Type &type);

} // namespace tessera::halide
