// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"

#include <array>
#include <cstddef>
#include <span>

namespace tessera::cost {

// What a stage reads of one input or func, in all blocks of a launch.
struct DramRead {
  pipeline::Producer producer;
  double bytes = 0;
  double whole = 0; // of the producer
};

// Those of a stage, the largest: the others are too small to matter. No memory of their own, as
// loads are copied with each change of a schedule.
class DramReads {
public:
  void add(const DramRead &read);
  std::span<const DramRead> reads() const { return std::span(m_reads).first(m_count); }

private:
  static constexpr std::size_t kMost = 4;
  std::array<DramRead, kMost> m_reads;
  std::size_t m_count = 0;
};

// What the stages of a kernel read of the same producer comes from device memory once: its blocks
// go through it together.
class SharedDramReads {
public:
  // Bytes of a read that stages before have fetched.
  double again(const DramRead &read);

private:
  static constexpr std::size_t kMost = 32; // producers of a kernel; none is known to be read twice
                                           // beyond
  std::array<DramRead, kMost> m_fetched;
  std::size_t m_count = 0;
};

} // namespace tessera::cost
