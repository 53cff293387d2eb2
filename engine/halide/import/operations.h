// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/stage.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// Operations of one evaluation of the stage. Values of a tuple are counted together; what stands
// twice counts once; a load counts once for each distinct place. What an index or an argument of
// the left side computes is no operation of the definition: on a GPU it becomes address arithmetic
// that the schedule decides about, not the algorithm.
struct Operations {
  std::vector<pipeline::OpCount> all;
  std::vector<pipeline::SteadyOps> steady; // those that do not depend on all of the loops
};
// `own`: the func's name; what an update reads of it may be another value in each iteration.
Operations countOperations(const StageSource &stage, const std::string &own,
                           const std::vector<pipeline::LoopDim> &loops);

// What a call does; nothing where it only says something about a value.
std::optional<pipeline::OpKind> kindOfCall(const Halide::Internal::Call &call);

pipeline::ScalarType toScalarType(const Halide::Type &type);

} // namespace tessera::halide
