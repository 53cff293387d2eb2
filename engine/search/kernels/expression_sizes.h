// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>

namespace tessera::search {

// The operations of a stage's expressions with all inlined funcs, as Halide sees them before common
// subexpression elimination.
class ExpressionSizes {
public:
  explicit ExpressionSizes(const schedule::Schedule &schedule) : m_schedule(schedule) {}

  double of(pipeline::StageId stage);

private:
  const schedule::Schedule &m_schedule;
  std::map<pipeline::StageId, double> m_sizes;
};

// Halide takes minutes for expressions with many more operations, and ptxas for longer loop bodies
// (in instructions).
inline constexpr double kMostOperations = 1000, kLongestBody = 3000;
// The reason that a trace gives for this.
inline constexpr const char *kTooLong = "the expressions would be too long for a compiler";

} // namespace tessera::search
