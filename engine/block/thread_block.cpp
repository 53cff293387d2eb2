// SPDX-License-Identifier: MIT
#include "engine/block/thread_block.h"

#include "engine/block/block_halo.h"
#include "engine/schedule/directives/loop_names.h"

#include <algorithm>
#include <cmath>

namespace tessera::block {

using cost::FlatLoop;
using cost::KernelRuns;
using cost::Run;
using pipeline::Interval;
using pipeline::Stage;
using schedule::Bounds;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;

std::string_view name(LoopRole role) {
  switch (role) {
  case LoopRole::Host:
    return "host";
  case LoopRole::Block:
    return "block";
  case LoopRole::Thread:
    return "thread";
  case LoopRole::Turn:
    return "turn";
  case LoopRole::Unrolled:
    return "unrolled";
  case LoopRole::Vector:
    return "vector";
  }
  return {};
}

std::string_view name(Duty duty) {
  switch (duty) {
  case Duty::Computes:
    return "computes";
  case Duty::Halo:
    return "halo";
  case Duty::Idle:
    return "idle";
  }
  return {};
}

namespace {

LoopRole roleOf(const Run &run, const FlatLoop &loop) {
  if (loop.loop >= run.hostLoop) return LoopRole::Host;
  if (cost::isThread(loop.kind)) return LoopRole::Thread;
  switch (loop.kind) {
  case LoopKind::Block:
    return LoopRole::Block;
  case LoopKind::Unrolled:
    return LoopRole::Unrolled;
  case LoopKind::Vectorized:
    return LoopRole::Vector;
  default:
    return LoopRole::Turn;
  }
}

bool isOfThread(LoopRole role) {
  return role == LoopRole::Turn || role == LoopRole::Unrolled || role == LoopRole::Vector;
}

// The index of a point in one dimension of the func; none where data choose it.
std::optional<std::int64_t> indexOf(const pipeline::IndexMap &map, std::span<const Interval> at) {
  const Interval index = pipeline::evaluate(map, at);
  return index.bounded() && index.min == index.max ? std::optional(index.min) : std::nullopt;
}

// The first iteration of the first thread in the block. Run::base may be that of the middle thread,
// which is away from boundaries.
std::vector<std::int64_t> startOf(const Schedule &schedule, const KernelRuns &runs,
                                  const Run &run) {
  std::vector<std::int64_t> start;
  for (const Interval &base : run.base)
    start.push_back(base.min);
  if (!run.isInMiddleThread) return start;
  // Finds the run that owns the threads, and how many threads its middle thread is from the first.
  const Run *of = &run;
  while (of->depth == Depth::Thread)
    of = &runs.of(schedule.plan(schedule.pipeline()->stage(of->stage).func).compute.stage);
  std::array<std::int64_t, cost::kBlockDims> middle{};
  const std::vector<Interval> first = firstIteration(schedule, *of);
  for (std::size_t d = 0; d < cost::kBlockDims; ++d)
    for (std::size_t l = 0; l < first.size(); ++l)
      if (const double step = of->threadSteps[d][l]; step != 0)
        middle[d] = std::llround(static_cast<double>(of->base[l].min - first[l].min) / step);
  for (std::size_t d = 0; d < cost::kBlockDims; ++d)
    for (std::size_t l = 0; l < start.size(); ++l)
      start[l] -= std::llround(run.threadSteps[d][l] * static_cast<double>(middle[d]));
  return start;
}

} // namespace

ThreadBlock::ThreadBlock(const Schedule &schedule, const Bounds &bounds, const KernelRuns &runs,
                         const machine::Machine &machine, pipeline::StageId id)
    : stage(id), warpSize(machine.limits.warpSize), m_pipeline(schedule.pipeline()) {
  const Run &run = runs.of(id);
  const Stage &of = m_pipeline->stage(id);
  depth = run.depth;
  threads = runs.kernelOf(run).launch.blockThreads;
  active = run.active;
  dims = m_pipeline->func(of.func).args;
  m_extents.assign(bounds.of(id).dims.begin(), bounds.of(id).dims.end());
  m_start = startOf(schedule, runs, run);
  m_threadSteps = run.threadSteps;
  setLoops(schedule, run);
  const BlockShare share = shareOf(schedule, bounds, runs, id);
  computed = share.computed;
  own = share.own;
  setTile();
  const std::vector<Offsets> offsets = offsetsOfThread();
  setDuties(offsets);
  setOwners(offsets);
}

void ThreadBlock::setLoops(const Schedule &schedule, const Run &run) {
  const schedule::LoopNest &nest = schedule.plan(run.stage).nest;
  const schedule::LoopNames names(m_pipeline->stage(run.stage), nest);
  for (const FlatLoop &loop : run.loops) {
    const LoopRole role = roleOf(run, loop);
    loops.push_back(
        {role, names.of(nest.loops[loop.loop].ref).name, loop.dim, loop.iterations, loop.step});
    if (role == LoopRole::Turn) turns *= loop.iterations;
    if (role == LoopRole::Unrolled) copies *= loop.iterations;
    if (role == LoopRole::Vector) vector *= loop.iterations;
  }
}

// The size of the box that a body (all unrolled and vectorised copies) stores.
void ThreadBlock::setTile() {
  const Stage &of = m_pipeline->stage(stage);
  std::vector<Interval> body;
  for (const std::int64_t start : m_start)
    body.push_back({start, start});
  for (const BlockLoop &loop : loops)
    if (loop.role == LoopRole::Unrolled || loop.role == LoopRole::Vector)
      body[loop.dim].max += (loop.iterations - 1) * loop.step;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const Interval stored = pipeline::evaluate(of.store.indices[d], body);
    tile.push_back(stored.bounded() ? stored.extent() : 1);
  }
}

std::int64_t ThreadBlock::count(Duty duty) const { return std::ranges::count(duties, duty); }

double ThreadBlock::redundancy() const {
  double ratio = 1;
  for (std::size_t d = 0; d < own.size(); ++d)
    if (!own[d].empty())
      ratio *= static_cast<double>(computed[d].extent()) / static_cast<double>(own[d].extent());
  return ratio - 1;
}

std::vector<std::int64_t> ThreadBlock::firstOf(const ThreadPlace &thread) const {
  std::vector<std::int64_t> first = m_start;
  for (std::size_t d = 0; d < cost::kBlockDims; ++d)
    for (std::size_t l = 0; l < first.size(); ++l)
      first[l] += std::llround(m_threadSteps[d][l] * static_cast<double>(thread[d]));
  return first;
}

// Whether the guards of splits let a point pass. If each thread computes the func for itself, the
// extent counts from the thread's first point.
bool ThreadBlock::isWithin(std::size_t dim, std::int64_t first, std::int64_t at) const {
  const Stage &of = m_pipeline->stage(stage);
  const std::int64_t begin = depth == Depth::Thread ? first
                             : depth == Depth::Host && of.loops[dim].argument
                                 ? m_pipeline->func(of.func).region[*of.loops[dim].argument].min
                                 : m_start[dim];
  return at < begin + m_extents[dim];
}

// Whether some point of a thread lies in `own`. Each dimension is tested alone, since the loops of
// a thread run over all combinations.
bool ThreadBlock::reachesOwn(const std::vector<std::int64_t> &first,
                             const std::vector<Offsets> &offsets) const {
  const std::span<const pipeline::OneLoopMap> maps = m_pipeline->storeMaps(stage);
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (!maps[d]) continue; // a constant, or chosen by several loops or by data
    const std::size_t loop = maps[d].loop();
    const bool reaches = std::ranges::any_of(offsets[loop], [&](std::int64_t offset) {
      const std::int64_t at = first[loop] + offset;
      const Interval index = maps[d].evaluate({at, at});
      return isWithin(loop, first[loop], at) && index.min <= own[d].max && own[d].min <= index.max;
    });
    if (!reaches) return false;
  }
  return true;
}

std::vector<ThreadBlock::Offsets> ThreadBlock::offsetsOfThread() const {
  std::vector<Offsets> offsets(m_start.size(), Offsets{0});
  for (const BlockLoop &loop : loops) {
    if (!isOfThread(loop.role)) continue;
    Offsets &along = offsets[loop.dim];
    const std::size_t before = along.size();
    constexpr std::size_t kMost = 1 << 12; // far more than a thread computes
    for (std::int64_t i = 1; i < loop.iterations && along.size() < kMost; ++i)
      for (std::size_t o = 0; o < before; ++o)
        along.push_back(along[o] + i * loop.step);
  }
  return offsets;
}

void ThreadBlock::setDuties(const std::vector<Offsets> &offsets) {
  duties.assign(static_cast<std::size_t>(all()), Duty::Idle);
  for (std::size_t number = 0; number < duties.size(); ++number) {
    const ThreadPlace thread = placeOf(static_cast<std::int64_t>(number));
    bool isActive = true;
    for (std::size_t d = 0; d < cost::kBlockDims; ++d)
      isActive = isActive && thread[d] < active[d];
    if (isActive)
      duties[number] = reachesOwn(firstOf(thread), offsets) ? Duty::Computes : Duty::Halo;
  }
}

// An element that several threads compute, for example because each thread computes the func for
// itself, belongs to the first of these threads.
void ThreadBlock::setOwners(const std::vector<Offsets> &offsets) {
  if (computed.empty()) return;
  const std::span<const pipeline::OneLoopMap> maps = m_pipeline->storeMaps(stage);
  // The dimensions in which the block is longer than one element. The first two are shown.
  std::vector<std::size_t> wide;
  for (std::size_t d = 0; d < computed.size(); ++d)
    if (computed[d].extent() > 1 && maps[d]) wide.push_back(d);
  m_owners.across = wide.empty() ? 0 : wide[0];
  m_owners.down = wide.size() > 1 ? wide[1] : m_owners.across;
  const bool isRow = m_owners.down == m_owners.across;
  if (!maps[m_owners.across]) return;
  const auto cut = [](Interval side) {
    side.max = std::min(side.max, side.min + kMostSide - 1);
    return side;
  };
  m_owners.x = cut(computed[m_owners.across]);
  if (!isRow) m_owners.y = cut(computed[m_owners.down]);
  m_owners.threads.assign(static_cast<std::size_t>(m_owners.x.extent() * m_owners.y.extent()),
                          OwnerMap::kNobody);
  const std::size_t loopX = maps[m_owners.across].loop(), loopY = maps[m_owners.down].loop();
  for (std::size_t number = 0; number < duties.size(); ++number) {
    if (duties[number] == Duty::Idle) continue;
    const std::vector<std::int64_t> first = firstOf(placeOf(static_cast<std::int64_t>(number)));
    for (const std::int64_t offsetY : isRow ? Offsets{0} : offsets[loopY])
      for (const std::int64_t offsetX : offsets[loopX]) {
        const std::int64_t atX = first[loopX] + offsetX, atY = first[loopY] + offsetY;
        if (!isWithin(loopX, first[loopX], atX) || !isWithin(loopY, first[loopY], atY)) continue;
        const std::int64_t x = maps[m_owners.across].evaluate({atX, atX}).min;
        const std::int64_t y = isRow ? 0 : maps[m_owners.down].evaluate({atY, atY}).min;
        if (!m_owners.x.contains({x, x}) || !m_owners.y.contains({y, y})) continue;
        std::int32_t &owner = m_owners.threads[static_cast<std::size_t>(
            (y - m_owners.y.min) * m_owners.x.extent() + (x - m_owners.x.min))];
        if (owner == OwnerMap::kNobody) owner = static_cast<std::int32_t>(number);
      }
  }
}

std::vector<OwnedPoint> ThreadBlock::ownedBy(const ThreadPlace &thread) const {
  std::vector<OwnedPoint> owned;
  if (dutyOf(thread) == Duty::Idle) return owned;
  const Stage &of = m_pipeline->stage(stage);
  const std::vector<std::int64_t> first = firstOf(thread);
  std::vector<Interval> at(first.size());
  const std::int64_t most = std::min(points(), kMostPoints);
  for (std::int64_t point = 0; point < most; ++point) {
    for (std::size_t l = 0; l < first.size(); ++l)
      at[l] = {first[l], first[l]};
    OwnedPoint next;
    std::int64_t rest = point, turn = 1, copy = 1, element = 1;
    for (const BlockLoop &loop : loops) { // the innermost first, which changes fastest
      if (!isOfThread(loop.role)) continue;
      const std::int64_t index = rest % loop.iterations;
      rest /= loop.iterations;
      at[loop.dim].min += index * loop.step;
      at[loop.dim].max = at[loop.dim].min;
      std::int64_t &number = loop.role == LoopRole::Turn       ? next.turn
                             : loop.role == LoopRole::Unrolled ? next.copy
                                                               : next.vector;
      std::int64_t &weight = loop.role == LoopRole::Turn       ? turn
                             : loop.role == LoopRole::Unrolled ? copy
                                                               : element;
      number += index * weight;
      weight *= loop.iterations;
    }
    bool isReached = true;
    for (std::size_t l = 0; l < first.size(); ++l)
      isReached = isReached && isWithin(l, first[l], at[l].min);
    for (std::size_t d = 0; isReached && d < dims.size(); ++d) {
      const auto index = indexOf(of.store.indices[d], at);
      isReached = index.has_value();
      if (index) next.at.push_back(*index);
    }
    if (isReached) owned.push_back(std::move(next));
  }
  return owned;
}

} // namespace tessera::block
