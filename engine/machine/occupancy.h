// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera::machine {

// What a block takes of its multiprocessor.
struct BlockUse {
  std::int64_t threads = 1;
  std::int64_t registers = 0; // a thread
  std::int64_t sharedBytes = 0;

  friend bool operator==(const BlockUse &, const BlockUse &) = default;
};

enum class Resource : std::uint8_t { Threads, Registers, SharedMemory, Blocks };
inline constexpr int kResources = 4;
std::string_view name(Resource resource); // "threads", "shared_memory"

// How many blocks and warps of a kernel a multiprocessor holds at once; as NVIDIA's
// cuda_occupancy.h says, with the whole of the shared memory preferred.
struct Occupancy {
  std::int64_t blocks = 0; // 0: it cannot be launched
  std::int64_t warps = 0;
  double fraction = 0;                               // of all warps that could be
  std::array<std::int64_t, kResources> blockLimit{}; // what each resource would allow by itself
  Resource limiting = Resource::Threads;             // the first of those that allow least
};
Occupancy occupancy(const Machine &machine, const BlockUse &use);

// For charts: the occupancy when one number of `use` is varied and the others stay.
struct OccupancyPoint {
  std::int64_t value = 0; // of what is varied
  Occupancy occupancy;
};
std::vector<OccupancyPoint> overThreads(const Machine &machine, BlockUse use);
std::vector<OccupancyPoint> overRegisters(const Machine &machine, BlockUse use);
std::vector<OccupancyPoint> overSharedBytes(const Machine &machine, BlockUse use);

} // namespace tessera::machine
