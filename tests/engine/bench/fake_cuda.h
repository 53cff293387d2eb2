// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench::test {

// Launches of the fake device, for the fake CUPTI. The times are in nanoseconds of the fake
// device's own clock.
struct FakeLaunch {
  std::uint64_t begin, end;
  const char *kernel;
};
inline constexpr std::uint64_t kFakeKernelNanoseconds = 20'000;

} // namespace tessera::bench::test

// Returns the launches since the last call. The pointers stay valid.
extern "C" std::vector<tessera::bench::test::FakeLaunch> *takeFakeLaunches();

// Returns the optimisation level given for the last module; -1 if none was given.
extern "C" int fakeOptimizationLevel();
