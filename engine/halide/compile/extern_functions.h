// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

namespace tessera::halide {

// What a bundle is linked with, so that it has the functions of extern stages.
struct LinkedFunctions {
  std::vector<std::string> files;   // objects, libraries and options of the linker, in order
  std::vector<std::string> missing; // functions that are in none of them
};

// The functions that compute the pipeline's extern stages, each once.
std::vector<std::string> functionsCalledBy(const Halide::Pipeline &pipeline);

// Loads a library with functions of extern stages into this process, for good.
Status loadFunctions(const std::string &library);

// Fails unless the functions that compute the pipeline's extern stages are in this process. Halide
// would end it at the first one that is missing.
Status checkLoadedFunctions(const Halide::Pipeline &pipeline);
// Fails unless they are among those that a bundle is linked with.
Status checkLinkedFunctions(const Halide::Pipeline &pipeline,
                            const std::optional<LinkedFunctions> &functions);

// Whether the function of an extern stage gets the caller's context, which only code for
// Target::UserContext has.
bool getsUserContext(const Halide::Pipeline &pipeline);

} // namespace tessera::halide
