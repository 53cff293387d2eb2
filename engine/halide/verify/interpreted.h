// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"
#include "engine/base/outcome.h"

#include <Halide.h>

#include <string>

namespace tessera::halide {

struct Interpreted {
  Outcome outcome = Outcome::Ok;
  std::string complaint; // why the outcome is not Ok
  RunOutputs outputs;
};

// As runPipeline(), but what Halide lowers for the target is interpreted, thread by thread. What a
// GPU may get away with, such as a race, is a launch error here. Passes on what Halide throws.
Result<Interpreted> interpretPipeline(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                                      const RunInputs &inputs, const Halide::Target &target);

} // namespace tessera::halide
