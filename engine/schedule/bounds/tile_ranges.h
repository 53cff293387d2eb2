// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/iteration.h"
#include "engine/schedule/bounds/footprint.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>

namespace tessera::schedule {

// The range, longer by `by` elements at its end.
pipeline::Interval longer(pipeline::Interval range, std::int64_t by);

// How tails and tiles change the ranges of a stage's loops, while bounds are measured.
class TileRanges {
public:
  explicit TileRanges(const Schedule &schedule)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()) {}

  // The ranges of the loops with their tails, in a func that is computed at this depth.
  static Ranges withTails(const FuncPlan &plan, const pipeline::Stage &stage, Depth depth,
                          Ranges ranges);
  // The part of the ranges that one iteration of a loop and of all loops around it covers. `whole`:
  // how well Halide knows the ranges before guards.
  Ranges tileOf(pipeline::StageId stage, LoopRef loop, Iteration iteration, Ranges ranges,
                std::span<const Extent> whole) const;

  // What Halide assumes beyond the ranges of a stage that is computed further in than the scope.
  // `own`: what is needed of the stage at its own place.
  //
  // Where Halide does not know the length, this adds a whole part, whatever guard there is.
  void addParts(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // Where a tile begins and how long it is depend on the same loop further out, but Halide combines
  // the last beginning with the longest tile: to it, (x + 3)/4 is x/4 + (x%4 + 3)/4.
  void addDoubt(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // The same for tails that round up, and where Halide knows nothing about where a part begins: to
  // Halide, the longest tile may be as long as all that is asked for. A tail that rounds up also
  // begins behind guards that are tested further in (`begun`).
  void addBegun(const pipeline::Stage &stage, const Footprint &own, const Footprint &asked,
                const Footprint &begun, Depth scope, const Ranges &ranges) const;
  bool isDoubtful(const pipeline::Stage &stage, const Footprint &own, Depth scope) const;
  // Rounds up the ranges that are cut by guards which are tested only inside of a loop.
  void passGuards(pipeline::StageId stage, LoopRef loop, const Ranges &ranges) const;

private:
  bool isDoubtful(const pipeline::Stage &stage, std::uint16_t dim, const Footprint &own,
                  Depth scope) const;
  bool roundsUp(const pipeline::Stage &stage, std::uint16_t dim) const;
  // Whether the last tile is shifted back at some size, so that it may begin anywhere.
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
