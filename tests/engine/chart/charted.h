// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"

#include <string>
#include <vector>

namespace tessera::chart::testing {

// Ceilings with round numbers, and a pipeline whose kernels have float operations and bytes at all
// levels.
inline cost::Ceilings roundCeilings() {
  cost::Ceilings c;
  c.dram = 1e12;
  c.l2 = 4e12;
  c.l1 = 1e13;
  c.shared = 2e13;
  c.fp64 = 1e13;
  c.fp32 = 4e13;
  c.fp16 = 8e13;
  c.integer = 2e13;
  c.integerAdd = c.integerMultiply = 1e13;
  c.source = "a test";
  return c;
}

inline cost::Work kernel(const std::string &name, double seconds,
                         cost::Origin origin = cost::Origin::Predicted) {
  return {name, origin, seconds, {0, 1e7, 0, 1e6}, {1e6, 4e6, 1e7, 1e7}};
}

inline cost::Roofline rooflineOf(const std::vector<cost::Work> &kernels,
                                 const std::optional<cost::Floor> &floor = {}) {
  const std::vector<cost::Work> whole{cost::total("pipe", kernels)};
  return cost::roofline(roundCeilings(), kernels, whole, floor);
}

} // namespace tessera::chart::testing
