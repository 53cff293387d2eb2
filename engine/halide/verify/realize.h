// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/halide/verify/owned_buffer.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

// What a pipeline is run on. Buffers by name; scalars are the estimated ones.
struct RunInputs {
  std::map<std::string, OwnedBuffer> buffers;
};
struct RunOutputs {
  std::vector<std::string> names; // "f", or "f.0", "f.1" for a func of several values
  std::vector<OwnedBuffer> buffers;
};

struct InputFile {
  std::string input, file; // its elements without gaps, the first dimension fastest
};

// Inputs of the estimated sizes: those that have a file from there, the others seeded.
Result<RunInputs> inputsOf(const PreparedPipeline &prepared, std::uint64_t seed,
                           const std::vector<InputFile> &files);

// Compiles for the target, runs once and brings the outputs back to the host. Throws what Halide
// throws, its runtime's errors included.
Result<RunOutputs> runPipeline(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                               const RunInputs &inputs, const Halide::Target &target);

} // namespace tessera::halide
