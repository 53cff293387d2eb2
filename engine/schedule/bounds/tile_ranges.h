// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/footprint.h"
#include "engine/schedule/bounds/iteration.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>

namespace tessera::schedule {

// The range, extended by `by` elements at its end.
pipeline::Interval longer(pipeline::Interval range, std::int64_t by);

// How tails and tiles change the ranges of a stage's loops, while bounds are measured.
class TileRanges {
public:
  explicit TileRanges(const Schedule &schedule)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()) {}

  // The ranges of the loops with their tails, in a func that is computed at this depth.
  static Ranges withTails(const FuncPlan &plan, const pipeline::Stage &stage, Depth depth,
                          Ranges ranges);
  // The sub-ranges that one iteration of `loop` covers, with all loops around it fixed. `whole`:
  // how well Halide knows the extents of the loops without the guards of their tails.
  Ranges tileOf(pipeline::StageId stage, LoopRef loop, Iteration iteration, Ranges ranges,
                std::span<const Extent> whole) const;

  // The next functions add to `ranges` what Halide assumes in excess for a stage that is computed
  // further in than the measured loop. `own`: the footprint at the stage's own compute place.
  //
  // addParts(): if Halide does not know a range's length, it assumes a whole tile, even behind a
  // guard.
  void addParts(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // addDoubt(): the beginning and the length of a tile depend on the same outer loop, but Halide
  // combines the last beginning with the longest tile: to Halide, (x + 3)/4 is x/4 + (x%4 + 3)/4.
  void addDoubt(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // addBegun(): like addDoubt(), for tails that round up, and for tiles whose beginning Halide does
  // not know. Halide assumes that the longest tile may be as long as the whole footprint `asked`.
  // For tails that round up, it also ignores guards that are tested further in (`begun`: the
  // footprint without these guards).
  void addBegun(const pipeline::Stage &stage, const Footprint &own, const Footprint &asked,
                const Footprint &begun, Depth scope, const Ranges &ranges) const;
  bool isDoubtful(const pipeline::Stage &stage, const Footprint &own, Depth scope) const;
  // Rounds up the ranges that are cut by guards which are tested only inside of `loop`.
  void passGuards(pipeline::StageId stage, LoopRef loop, const Ranges &ranges) const;

private:
  bool isDoubtful(const pipeline::Stage &stage, std::uint16_t dim, const Footprint &own,
                  Depth scope) const;
  bool roundsUp(const pipeline::Stage &stage, std::uint16_t dim) const;
  // Whether at some size of the image the last tile is shifted inwards, so that it may begin
  // anywhere.
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
