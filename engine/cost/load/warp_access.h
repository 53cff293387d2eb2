// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::cost {

// A sector is the smallest transfer of memory and second-level cache. A line is the unit that the
// first-level cache looks up.
inline constexpr double kSectorBytes = 32, kLineBytes = 128;

// How the threads of a warp lie along the dimensions of a block, and how many bytes the address of
// an access moves from one thread to the next.
//
//   f(x, y) of float, threads x = 32, y = 8     lanes {32, 1, 1}, strides {4, row, 0}
//   f(2*x, y), threads x = 16, y = 16           lanes {16, 2, 1}, strides {8, row, 0}
struct WarpAccess {
  std::array<std::int64_t, 3> lanes{32, 1, 1};
  std::array<double, 3> strides{4, 0, 0};
  double bytes = 4;         // bytes per access of a thread
  double scattered = 0;     // bytes of the region in which data choose the place
  double places = 1;        // number of places that data choose from
  double first = kAnywhere; // offset of the first thread's access from an aligned address
  static constexpr double kAnywhere = -1;
};

// Like std::fmod, but many times as fast. Exact if both numbers are whole, or if `unit` is a power
// of two.
inline double beyond(double bytes, double unit) {
  return bytes - static_cast<double>(static_cast<std::int64_t>(bytes / unit)) * unit;
}

// The number of memory units of `unit` bytes, sectors or lines, that a warp touches. It is an
// average if the first address is unknown or data choose the places. In the latter case half of the
// possible places are reached, since neighbouring threads tend to choose alike, as neighbouring
// pixels do.
double unitsTouched(const WarpAccess &access, double unit);

// Lines of the first-level cache that are looked up for an access. If data choose the elements, the
// number is limited and weighted, as fitted to measurements.
double linesLookedUp(const WarpAccess &access);

// Passes that the banks of shared memory need. There are 32 banks of 4 bytes, and each serves one
// word in a pass (CUDA C++ Programming Guide, "Shared Memory"). Threads that ask for the same word
// share it. If data choose the places, each thread asks for a pseudo-random one of those that are
// reached.
double bankPasses(const WarpAccess &access);

// Remembers recent results. Stages of a kernel, and a stage in successive schedules, access shared
// memory in few different ways.
class KnownBankPasses {
public:
  double of(const WarpAccess &access);

private:
  static constexpr std::size_t kEntries = 64;
  struct Entry {
    WarpAccess access;
    double passes = 0; // 0: an unused entry
  };
  std::array<Entry, kEntries> m_entries;
};

} // namespace tessera::cost
