// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/arena.h"
#include "engine/schedule/bounds/course.h"
#include "engine/schedule/bounds/extent.h"
#include "engine/schedule/bounds/iteration.h"
#include "engine/schedule/schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// How deep a place is: on the host, in each block, or in each thread.
enum class Depth : std::uint8_t { Host, Block, Thread };

struct Footprint;
struct KnownFootprint;
struct KnownRanges;

// The bounds of all funcs and loops of a schedule under the estimates: the region or the extent of
// each in one iteration of the loops around it. Both legality and costs need them.
//
// Computing bounds is called measuring. A search measures every candidate, so all results lie in an
// arena that this object owns, and it returns views. The constructors measure. To measure one
// schedule after another, or one func after another, use ShapeRoom and SizesSoFar (bounds_room.h)
// or FollowedBounds (followed_bounds.h).
class Bounds {
public:
  explicit Bounds(const Schedule &schedule);
  // Measures only the funcs in `only`, which are sorted by id and include all their readers in the
  // same kernels. Then only sizes are valid: `extents` and `aligned` mean nothing.
  Bounds(const Schedule &schedule, std::span<const pipeline::FuncId> only);

  struct StageBounds {
    std::span<const std::int64_t> dims;  // extents of the stage's dimensions
    std::span<const std::int64_t> loops; // iterations, in the order of LoopNest::loops
    std::span<const Extent> extents;     // how well Halide knows each extent, by dimension
    std::span<const Course> courses;     // how each range moves from tile to tile
  };
  struct FuncBounds {
    std::span<const pipeline::Interval> computed; // in one iteration of the compute place
    std::span<const pipeline::Interval> stored;   // at the store place, with what tails add
    Depth depth = Depth::Host;                    // of the compute place
    Depth storeDepth = Depth::Host;
    pipeline::FuncId kernel{};             // root func of its kernel; for a root, the func itself
    std::span<const Extent> extents;       // how well Halide knows each extent, by dimension
    std::span<const std::int64_t> aligned; // by dimension: the start is a multiple of this
    bool reached = true;                   // true: all its readers are inside of its compute place

    Extent extent() const { return vaguest(extents); }
  };

  const StageBounds &of(pipeline::StageId stage) const {
    return m_stages[pipeline::checkedIndex(stage, m_stages.size())];
  }
  const FuncBounds &of(pipeline::FuncId func) const {
    return m_funcs[pipeline::checkedIndex(func, m_funcs.size())];
  }

private:
  friend class FollowedBounds;
  friend class ShapeRoom;
  friend class SizesSoFar;
  class Builder;
  // Intermediate results of Builder for one func, computed when they are needed.
  struct Notes {
    const Footprint *computed = nullptr;                     // footprint at the compute place
    const Footprint *everywhere = nullptr;                   // footprint over the whole run
    std::array<const KnownFootprint *, kIterations> known{}; // footprints in loops
    const KnownRanges *ranges = nullptr; // ranges of its stages' loops, by scope
  };

  Bounds() = default; // nothing is measured
  // Measures another schedule, or other funcs, and uses the memory again. With `only`, the time
  // depends on those funcs, however large the pipeline is.
  void renew(const Schedule &schedule);
  void renew(const Schedule &schedule, std::span<const pipeline::FuncId> only);
  void add(const Schedule &schedule, pipeline::FuncId func);
  void addRest(const Schedule &schedule, std::span<const pipeline::FuncId> only);
  std::vector<pipeline::FuncId> follow(const Schedule &before, const Schedule &after,
                                       std::span<const pipeline::FuncId> changed);

  void reset(const pipeline::PipelinePtr &pipeline);
  void forget();
  void forget(pipeline::FuncId func);

  pipeline::PipelinePtr m_pipeline;
  Arena m_arena; // memory behind all returned views
  bool m_isWhole = false;
  std::vector<StageBounds> m_stages;
  std::vector<FuncBounds> m_funcs;
  std::vector<Notes> m_notes; // by func
  // With `only`: the funcs that forget() has to clear.
  std::vector<pipeline::FuncId> m_measured, m_noted;
};

} // namespace tessera::schedule
