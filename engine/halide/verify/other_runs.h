// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"
#include "engine/halide/compile/reference.h"
#include "engine/report/uncertainty.h"

#include <vector>

namespace tessera::halide {

// A pipeline that makeReference() has prepared, and its inputs.
struct RunnableReference {
  Halide::Pipeline pipeline;
  ReferenceForm form;
};

// How sure a reference is of each element of its outputs: where one bit of a float changes which of
// two nearly equal costs is less, or where a small determinant magnifies it, a schedule that rounds
// otherwise is not wrong. It is found by running the reference again: rounded up, down and towards
// zero, with floats of the inputs moved by their last bit, and in a second form (`loose`) with
// products fused into sums, sums in another order, stored floats without their last bit and shifts
// by any amount as a GPU performs them.
//
// `outputs` is the result of `strict`. This takes five runs and compiles `loose`.
Result<std::vector<report::Uncertainty>>
uncertaintyOf(RunnableReference &strict, RunnableReference &loose, const PreparedPipeline &prepared,
              const RunInputs &inputs, const RunOutputs &outputs,
              const std::vector<report::ElementRule> &rules);

} // namespace tessera::halide
