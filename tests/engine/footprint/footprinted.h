// SPDX-License-Identifier: MIT
#pragma once

#include "engine/footprint/kernel_footprint.h"
#include "tests/engine/schedule/scheduled.h"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::footprint::testing {

// K, W and Z of figure 4 of the paper of AutoGPU: a pixel of W needs three pixels of K across the
// third dimension, a pixel of Z needs five of W along y. A value of K, W or Z has four bytes, and a
// value of the input has one byte.
inline constexpr std::string_view kFigure4 = R"(
  input e 1540 2568
  func k(x y c) 1536 2564 3 = e(x+[0,3]; y)
  func w(x y) 1536 2564 = k(x; y; 0) k(x; y; 1) k(x; y; 2)
  func z(x y) 1536 2560 = w(x; y+[0,4])
  output z
)";
// A tile of 32 × 12, W in shared memory, K nested in the threads of W.
inline constexpr std::string_view kNested = R"(
  z split x xo xi 32 guard_with_if | split y yo yi 12 guard_with_if | reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo
  w compute_at z:xo | gpu_threads x y
  k compute_at w:x | unroll c
)";

// The footprint of one kernel of a schedule that is given in a few lines, on the default machine.
class Footprinted {
public:
  Footprinted(std::string_view pipeline, std::string_view directives, std::string_view owner,
              std::span<const std::int64_t> at = {})
      : m_schedule(schedule::testing::scheduled(pipeline, directives)),
        m_kernel(Footprints(m_schedule, {}).of(schedule::testing::stageOf(m_schedule, owner), at)) {
  }

  const schedule::Schedule &schedule() const { return m_schedule; }
  const KernelFootprint &kernel() const { return m_kernel; }
  const Entry &entry(std::string_view name) const {
    for (const Entry &entry : m_kernel.entries)
      if (entry.name == name) return entry;
    throw std::invalid_argument("not in the kernel: " + std::string(name));
  }
  std::vector<std::int64_t> extents(std::string_view name, Level level) const {
    std::vector<std::int64_t> extents;
    for (const BoxSide &side : entry(name).at(level).sides)
      extents.push_back(side.range.extent());
    return extents;
  }

private:
  schedule::Schedule m_schedule;
  KernelFootprint m_kernel;
};

} // namespace tessera::footprint::testing
