// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::cost {

// What memory and the second-level cache move at once, and what the first-level cache looks up.
inline constexpr double kSectorBytes = 32, kLineBytes = 128;

// The threads of a warp as the first of a block's lie along its dimensions, and how far the address
// of one access moves, in bytes, from one thread to the next.
//
//   f(x, y) of float, threads x = 32, y = 8     lanes {32, 1, 1}, strides {4, row, 0}
//   f(2*x, y), threads x = 16, y = 16           lanes {16, 2, 1}, strides {8, row, 0}
struct WarpAccess {
  std::array<std::int64_t, 3> lanes{32, 1, 1};
  std::array<double, 3> strides{4, 0, 0};
  double bytes = 4;         // of one access
  double scattered = 0;     // over so many bytes, where data decide
  double places = 1;        // and in so many steps
  double first = kAnywhere; // bytes from an aligned address to what the first thread accesses
  static constexpr double kAnywhere = -1;
};

// As std::fmod, of whole numbers or by a power of two; many times as fast.
inline double beyond(double bytes, double unit) {
  return bytes - static_cast<double>(static_cast<std::int64_t>(bytes / unit)) * unit;
}

// How many pieces of memory of `unit` bytes, sectors or lines, a warp touches. An average where the
// first thread accesses anywhere, or data decide: neighbours then choose alike, as pixels do, and
// reach half of the places.
double unitsTouched(const WarpAccess &access, double unit);

// Lines of the first-level cache that are looked up for it. Those that data choose are a line each,
// with nothing that its neighbours could share.
double linesLookedUp(const WarpAccess &access);

// How often the banks of shared memory have to be asked: 32 of 4 bytes, each one word at a time
// (CUDA C++ Programming Guide, "Shared Memory"). Threads that ask for the same word share it. Where
// data decide, each thread asks for one of the places that are reached, as if by chance.
double bankPasses(const WarpAccess &access);

// Remembers some: the stages of a kernel, and a stage from one schedule to the next, walk through
// shared memory in few different ways.
class KnownBankPasses {
public:
  double of(const WarpAccess &access);

private:
  static constexpr std::size_t kEntries = 64;
  struct Entry {
    WarpAccess access;
    double passes = 0; // 0: nothing known
  };
  std::array<Entry, kEntries> m_entries;
};

} // namespace tessera::cost
