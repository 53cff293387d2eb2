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
  double whole = 0; // bytes of the whole producer
};

// The largest reads of a stage from device memory; the others are too small to matter. The array is
// in the object, because loads are copied at each change of a schedule and must not allocate.
class DramReads {
public:
  void add(const DramRead &read);
  std::span<const DramRead> reads() const { return std::span(m_reads).first(m_count); }

private:
  static constexpr std::size_t kMost = 4;
  std::array<DramRead, kMost> m_reads;
  std::size_t m_count = 0;
};

// Stages of a kernel that read the same producer fetch it from device memory only once, because the
// kernel's blocks go through it together.
class SharedDramReads {
public:
  // The bytes of a read that earlier stages have fetched already.
  double again(const DramRead &read);

private:
  // At most so many producers are remembered. Reads of further producers count as not yet fetched.
  static constexpr std::size_t kMost = 32;
  std::array<DramRead, kMost> m_fetched;
  std::size_t m_count = 0;
};

} // namespace tessera::cost
