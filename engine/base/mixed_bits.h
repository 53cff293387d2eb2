// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

// A step of splitmix64: neighbouring numbers become numbers that have nothing in common. It makes
// the random inputs with which schedules are verified and measured.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace tessera
