// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench::test {

// What the double's device did, for the double of CUPTI: its own clock in nanoseconds.
struct FakeLaunch {
  std::uint64_t begin, end;
  const char *kernel;
};
inline constexpr std::uint64_t kFakeKernelNanoseconds = 20'000;

} // namespace tessera::bench::test

// Launches since the last call; the pointers stay good.
extern "C" std::vector<tessera::bench::test::FakeLaunch> *takeFakeLaunches();

// That the last module was to be compiled with; -1: none was said.
extern "C" int fakeOptimizationLevel();
