// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>

namespace tessera::search {

// Operations of an expression with all that is inlined into it, as Halide sees it before it looks
// for common parts.
class ExpressionSizes {
public:
  explicit ExpressionSizes(const schedule::Schedule &schedule) : m_schedule(schedule) {}

  double of(pipeline::StageId stage);

private:
  const schedule::Schedule &m_schedule;
  std::map<pipeline::StageId, double> m_sizes;
};

// Halide takes minutes over expressions that are much longer, and ptxas over bodies of a loop.
inline constexpr double kMostOperations = 1000, kLongestBody = 3000;

} // namespace tessera::search
