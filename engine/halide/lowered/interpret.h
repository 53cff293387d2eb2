// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/findings.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide::lowered {

struct Arguments {
  std::map<std::string, Halide::Buffer<>> inputs, outputs; // by the names in the code
  std::map<std::string, Halide::Expr> scalars;             // constants
};

struct Run {
  enum class End : std::uint8_t {
    Done,
    CheckFailed,  // a check of the host, such as one of a buffer's size
    TooLong,      // more steps or memory than allowed
    NotUnderstood // code that the interpreter does not know
  };
  End end = End::Done;
  std::string complaint; // why it did not come to its end
  std::vector<Finding> findings;
  std::uint64_t steps = 0;
};

// Some ten seconds of one processor.
inline constexpr std::uint64_t kMostSteps = 4'000'000'000;

// Runs code that was lowered for CUDA (lower.h) and fills the outputs: what a GPU has to compute,
// thread by thread, with everything that a GPU need not notice. No GPU is asked for.
Run interpret(const Halide::Internal::Stmt &code, const Arguments &arguments,
              std::uint64_t mostSteps = kMostSteps);

} // namespace tessera::halide::lowered
