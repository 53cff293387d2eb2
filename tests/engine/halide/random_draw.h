// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace tessera::halide::testing {

// The random choices of a pipeline that is generated: the same seed gives the same choices.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : m_random(seed) {}

  // Both ends are included.
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  template <typename T, std::size_t kCount>
  const T &oneOf(const std::array<T, kCount> &all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(kCount) - 1))];
  }

private:
  std::mt19937_64 m_random;
};

} // namespace tessera::halide::testing
