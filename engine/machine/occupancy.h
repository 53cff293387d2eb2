// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera::machine {

// What a block needs of its multiprocessor.
struct BlockUse {
  std::int64_t threads = 1;
  std::int64_t registers = 0; // per thread
  std::int64_t sharedBytes = 0;

  friend bool operator==(const BlockUse &, const BlockUse &) = default;
};

enum class Resource : std::uint8_t { Threads, Registers, SharedMemory, Blocks };
inline constexpr int kResources = 4;
std::string_view name(Resource resource); // "threads", "shared_memory"

// How many blocks and warps of a kernel a multiprocessor holds at once, computed as in NVIDIA's
// cuda_occupancy.h, if as much as possible of the first-level cache is used as shared memory.
struct Occupancy {
  std::int64_t blocks = 0; // 0: it cannot be launched
  std::int64_t warps = 0;
  double fraction = 0; // `warps` divided by the number that a multiprocessor can hold
  std::array<std::int64_t, kResources> blockLimit{}; // blocks that each resource alone allows
  Resource limiting = Resource::Threads;             // the first resource with the lowest limit
};
Occupancy occupancy(const Machine &machine, const BlockUse &use);

// The occupancy when one number of `use` varies and the others stay, for charts.
struct OccupancyPoint {
  std::int64_t value = 0; // value of the number that varies
  Occupancy occupancy;
};
std::vector<OccupancyPoint> overThreads(const Machine &machine, BlockUse use);
std::vector<OccupancyPoint> overRegisters(const Machine &machine, BlockUse use);
std::vector<OccupancyPoint> overSharedBytes(const Machine &machine, BlockUse use);

} // namespace tessera::machine
