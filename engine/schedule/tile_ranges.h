// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/iteration.h"
#include "engine/schedule/reach.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>

namespace tessera::schedule {

// A range, longer by so many.
pipeline::Interval longer(pipeline::Interval range, std::int64_t by);

// What tails and tiles make of what the loops of a stage run over; for a shape, while it measures.
class TileRanges {
public:
  explicit TileRanges(const Schedule &schedule)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()) {}

  // What the loops run over with their tails, in a func that is computed so far in.
  static Ranges withTails(const FuncPlan &plan, const pipeline::Stage &stage, Depth depth,
                          Ranges ranges);
  // Of those, what one iteration of a loop and of all outside of it covers. `whole`: how well
  // Halide knows them before guards.
  Ranges tileOf(pipeline::StageId stage, LoopRef loop, Iteration iteration, Ranges ranges,
                std::span<const Extent> whole) const;

private:
  // Whether the last tile is shifted back at some size, and begins wherever that may be.
  bool shiftsAnywhere(pipeline::StageId stage, std::uint16_t dim, Extent whole,
                      std::int64_t extent) const;
  Course courseOfTile(pipeline::StageId stage, std::uint16_t dim, std::uint16_t part,
                      std::int64_t size, Course course, Extent whole, std::int64_t extent) const;
  std::int64_t longestTile(pipeline::StageId stage, std::uint16_t dim,
                           const pipeline::Interval &range, std::int64_t slack) const;
  bool hasNamedEnd(const pipeline::Stage &stage, std::uint16_t dim) const;
  Extent extentOfTile(pipeline::StageId stage, std::uint16_t dim, std::uint16_t part,
                      std::int64_t size, Extent whole, std::int64_t extent) const;
  bool isQuotient(pipeline::StageId stage, std::uint16_t dim, std::span<const Extent> whole) const;

  const Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
};

} // namespace tessera::schedule
