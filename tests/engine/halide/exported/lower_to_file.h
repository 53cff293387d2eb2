// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <string>

namespace tessera::halide::testing {

// Halide makes up names with numbers, and the order of such names matters in places: "t99" comes
// after "t100". Two processes give the same code if their numbers start at the same value and have
// the same number of digits, and if each allocation has a higher address than the one before it
// (rising_addresses.cpp).
inline void levelNames(int number) {
  for (const char prefix : std::string("abcdefghijklmnopqrstuvwxyz"))
    while (std::stoi(Halide::Internal::unique_name(prefix).substr(1)) < number) {
    }
}

// Call levelNames(kBeforeScheduling) before a pipeline is scheduled.
inline constexpr int kBeforeScheduling = 10'000;
inline constexpr int kBeforeLowering = 20'000;

inline void lowerToFile(Halide::Pipeline &pipeline, const std::string &path) {
  levelNames(kBeforeLowering);
  pipeline.compile_to_lowered_stmt(
      path, pipeline.infer_arguments(), Halide::Text,
      Halide::Target("x86-64-linux-cuda-cuda_capability_86-no_runtime"));
}

} // namespace tessera::halide::testing
