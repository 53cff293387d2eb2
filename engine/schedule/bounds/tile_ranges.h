// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/iteration.h"
#include "engine/schedule/bounds/footprint.h"
#include "engine/schedule/bounds/reach.h"
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

  // What Halide takes to be there beyond that, of a stage that is computed further in than it is
  // asked for. `own`: what is needed of it at its place.
  //
  // Of what it does not know the length of, a whole part, behind whatever guard.
  void addParts(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // Where a tile begins and how long it is depends on the same loop further out, but Halide takes
  // the last beginning together with the longest tile: (x + 3)/4 is x/4 + (x%4 + 3)/4 to it.
  void addDoubt(const pipeline::Stage &stage, const Footprint &own, const Ranges &ranges) const;
  // The same of what rounds up, and where it knows nothing of where a part begins: the longest tile
  // may to Halide be as long as all that is asked for. And what rounds up begins behind guards,
  // too, that are tested further in (`begun`).
  void addBegun(const pipeline::Stage &stage, const Footprint &own, const Footprint &asked,
                const Footprint &begun, Depth scope, const Ranges &ranges) const;
  bool isDoubtful(const pipeline::Stage &stage, const Footprint &own, Depth scope) const;
  // Rounds up what guards cut that are tested inside of a loop only.
  void passGuards(pipeline::StageId stage, LoopRef loop, const Ranges &ranges) const;

private:
  bool isDoubtful(const pipeline::Stage &stage, std::uint16_t dim, const Footprint &own,
                  Depth scope) const;
  bool roundsUp(const pipeline::Stage &stage, std::uint16_t dim) const;
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
