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

// How far in a place is: on the host, in each block, or in each thread.
enum class Depth : std::uint8_t { Host, Block, Thread };

struct Footprint;
struct KnownFootprint;
struct KnownRanges;

// A schedule in numbers: how large everything is in one iteration of what surrounds it, under the
// estimates. What legality and costs have in common.
//
// A search measures every candidate, so all numbers lie in an arena that the shape owns; what it
// hands out are views. A shape is measured when it is made. Who measures one after another, or
// one func after another, does it through the type that stands for what is measured so far:
// ShapeRoom and SizesSoFar (shape_room.h), FollowedShape (followed_shape.h).
class Bounds {
public:
  explicit Bounds(const Schedule &schedule);
  // Of some funcs alone, by rising number: what reads them in their kernels has to be among them.
  // Sizes alone: what is said of extents and alignment means nothing.
  Bounds(const Schedule &schedule, std::span<const pipeline::FuncId> only);

  struct StageBounds {
    std::span<const std::int64_t> dims;  // extents of the stage's dimensions
    std::span<const std::int64_t> loops; // iterations, as LoopNest::loops
    std::span<const Extent> extents;     // by dimension, as FuncBounds::extents
    std::span<const Course> courses;     // by dimension
  };
  struct FuncBounds {
    std::span<const pipeline::Interval> computed; // in one iteration of the compute place
    std::span<const pipeline::Interval> stored;   // of the store place, with what tails add
    Depth depth = Depth::Host;                    // of the compute place
    Depth storeDepth = Depth::Host;
    pipeline::FuncId kernel{};             // the root func around it; itself for a root
    std::span<const Extent> extents;       // by dimension of the box
    std::span<const std::int64_t> aligned; // by dimension: what its start is a multiple of
    bool reached = true;                   // all that read it are within its compute place

    Extent extent() const; // the vaguest of all dimensions
  };

  const StageBounds &of(pipeline::StageId stage) const { return m_stages[index(stage)]; }
  const FuncBounds &of(pipeline::FuncId func) const { return m_funcs[index(func)]; }

private:
  friend class FollowedShape;
  friend class ShapeRoom;
  friend class SizesSoFar;
  class Builder;
  // What a builder knows of a func.
  struct Notes {
    const Footprint *computed = nullptr;                     // at its place
    const Footprint *everywhere = nullptr;                   // in all, once asked for
    std::array<const KnownFootprint *, kIterations> known{}; // in each loop asked for so far
    const KnownRanges *ranges = nullptr;                     // of its stages, there and in all
  };

  Bounds() = default; // of nothing
  // Measures another schedule, or other funcs, in the room that there is. Of some funcs it takes as
  // long as these do, however large the pipeline.
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
  Arena m_arena; // for all that the views show
  bool m_isWhole = false;
  std::vector<StageBounds> m_stages;
  std::vector<FuncBounds> m_funcs;
  std::vector<Notes> m_notes; // by func
  // Of some funcs alone: those that there is something to forget of.
  std::vector<pipeline::FuncId> m_measured, m_noted;
};

} // namespace tessera::schedule
