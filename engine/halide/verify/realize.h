// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/owned_buffer.h"
#include "engine/base/result.h"
#include "engine/halide/import/import.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

// The inputs of a run: buffers by name. Scalars have their estimated values.
struct RunInputs {
  std::map<std::string, OwnedBuffer> buffers;
};
struct RunOutputs {
  std::vector<std::string> names; // "f", or "f.0", "f.1" for a func of several values
  std::vector<OwnedBuffer> buffers;
};

struct InputFile {
  std::string input, file; // `file` holds the elements without gaps, first dimension fastest
};

struct RandomNumbers {
  std::uint64_t seed = 1;
  pipeline::Drawing drawing = pipeline::Drawing::Usual;
};

// Inputs of the estimated sizes: from their file if they have one, else random.
Result<RunInputs> inputsOf(const PreparedPipeline &prepared, const RandomNumbers &random,
                           const std::vector<InputFile> &files);

// Outputs of the estimated sizes, in which every byte says that nothing has written it.
Result<RunOutputs> unwrittenOutputs(const Halide::Pipeline &pipeline,
                                    const PreparedPipeline &prepared);

// Compiles for the target, runs once and copies the outputs back to the host. Passes on whatever
// Halide and its runtime throw.
Result<RunOutputs> runPipeline(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                               const RunInputs &inputs, const Halide::Target &target);

} // namespace tessera::halide
