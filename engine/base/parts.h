// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace tessera {

// Splits the indices from 0 to `count` - 1 into ranges, calls `work(begin, end)` for the ranges in
// parallel, and returns the results in order. While schedules are tuned, loops over the elements of
// buffers would otherwise take more time than anything else. `work` must not throw.
template <typename Work>
auto inParts(std::uint64_t count, const Work &work) {
  using Given = decltype(work(count, count));
  constexpr std::uint64_t kLeast = 1 << 16; // a smaller range is not worth a thread
  const std::uint64_t cores = std::clamp(std::thread::hardware_concurrency(), 1U, 32U);
  const std::uint64_t parts = std::clamp<std::uint64_t>(count / kLeast, 1, cores);
  std::vector<Given> given(parts);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t p = 1; p < parts; ++p)
      threads.emplace_back([&, p] { given[p] = work(count * p / parts, count * (p + 1) / parts); });
    given[0] = work(0, count / parts);
  }
  return given;
}

} // namespace tessera
