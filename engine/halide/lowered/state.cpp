// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/state.h"

namespace tessera::halide::lowered {

void State::spend(std::uint64_t count) {
  steps += count;
  if (steps > mostSteps)
    throw Stopped{Stopped::Why::TooLong, "it takes more than " +
                                             std::to_string(mostSteps / 1'000'000) +
                                             " million steps in the interpreter"};
}

Memory &State::memory(const std::string &name) const {
  if (const auto *memory = memories.find(name)) return **memory;
  throw Stopped{Stopped::Why::NotUnderstood, "there is no memory called " + name};
}

const std::string &State::kernelName() const {
  static const std::string kHost;
  return kernel ? kernel->name : kHost;
}

} // namespace tessera::halide::lowered
