// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_granularity.h"

#include "engine/pipeline/footprint.h"
#include "engine/schedule/bounds/bounds.h"

#include <algorithm>

// Sioutas et al. 2020, section 4.3; "line n" is a line of listing 2.
namespace tessera::search {

using pipeline::Box;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Loop;
using schedule::LoopKind;
using schedule::Place;
using schedule::Schedule;

namespace {

// The box of a func that a stage reads when its loops run over `loops`. Empty if it reads nothing.
Box boxRead(const Schedule &schedule, StageId consumer, std::span<const Interval> loops,
            FuncId producer) {
  const Pipeline &pipeline = *schedule.pipeline();
  Box read;
  for (const pipeline::EdgeId id : pipeline.edgesInto(consumer)) {
    const pipeline::Edge &edge = pipeline.edge(id);
    if (edge.producer.kind != pipeline::Producer::Kind::Func) continue;
    const FuncId func{edge.producer.index};
    Box box;
    if (func == producer)
      box = pipeline::footprint(edge, loops);
    else if (schedule.plan(func).isInline() && func > producer)
      box = boxRead(schedule, pipeline.func(func).firstStage, pipeline::footprint(edge, loops),
                    producer);
    if (read.empty())
      read = std::move(box);
    else
      for (std::size_t d = 0; d < box.size(); ++d)
        read[d] = pipeline::hull(read[d], box[d]);
  }
  return read;
}

bool overlap(const Box &a, const Box &b) {
  for (std::size_t d = 0; d < a.size(); ++d)
    if (pipeline::intersection(a[d], b[d]).empty()) return false;
  return true;
}

// Line 16 of the paper's listing 2: the last consumer in topological order, which is the order of
// func numbers. A func that reads itself is not its own consumer, because its updates have the same
// place (lines 20 and 25).
std::optional<StageId> lastConsumer(const Schedule &schedule, FuncId member) {
  std::optional<StageId> last;
  for (const StageId reader : schedule::readersOf(schedule, member))
    if (schedule.pipeline()->stage(reader).func != member && (!last || reader > *last))
      last = reader;
  return last;
}

} // namespace

// The paper takes reuse from Halide's CPU scheduler, which advances one loop and keeps all others
// fixed. For a sum over r of P(x + r), advancing x at fixed r then finds no overlap, and P would be
// computed again for each r of each x. That contradicts "without affecting the amount of redundant
// computation". Not in the paper: with AutoGpuOverlap::Inner, all loops inside of the advanced loop
// run over their whole range. Thread loops do not count as inside of each other.
std::vector<std::uint16_t> overlapLoops(const Schedule &schedule, StageId consumer, FuncId producer,
                                        AutoGpuOverlap inner) {
  const Stage &stage = schedule.pipeline()->stage(consumer);
  const std::vector<Loop> &nest = schedule.plan(consumer).nest.loops;
  // An iteration in the middle, since boundary conditions cause overlap at the border.
  Box here;
  for (const LoopDim &loop : stage.loops) {
    const std::int64_t middle = loop.range.min + std::max<std::int64_t>(0, loop.range.extent() / 2);
    here.push_back({middle, middle});
  }
  std::vector<std::uint16_t> loops;
  for (const Loop &loop : nest) {
    const std::uint16_t axis = loop.ref.axis;
    if (loop.kind == LoopKind::Block || axis >= stage.loops.size()) continue;
    const Interval at = here[axis];
    here[axis] = {at.min - 1, at.max - 1};
    const Box before = boxRead(schedule, consumer, here, producer);
    here[axis] = at;
    if (stage.loops[axis].range.extent() > 1 &&
        overlap(boxRead(schedule, consumer, here, producer), before))
      loops.push_back(axis);
    if (loop.kind != LoopKind::Thread && inner == AutoGpuOverlap::Inner)
      here[axis] = stage.loops[axis].range;
  }
  return loops;
}

std::optional<Place> nestedPlace(const Schedule &schedule, const search::AutoGpuGroup &group,
                                 FuncId member, AutoGpuOverlap overlap) {
  const std::optional<StageId> consumer = lastConsumer(schedule, member);
  if (!consumer) return std::nullopt;
  const schedule::LoopNest &nest = schedule.plan(*consumer).nest;
  // Lines 1 to 9 of listing 2 choose the outermost loop that has an overlap. Block loops cannot be
  // chosen. If no dimension overlaps, the member may be inside all loops.
  std::size_t inside = 0;
  const std::vector<std::uint16_t> overlaps = overlapLoops(schedule, *consumer, member, overlap);
  // If the consumer is computed point by point inside another func's loops, a loop of that func has
  // the overlap. The member then stays where it is.
  std::vector<FuncId> rising = group.members;
  std::ranges::sort(rising);
  const schedule::Bounds bounds(schedule, rising);
  for (const std::uint16_t axis : overlaps)
    if (bounds.of(*consumer).dims[axis] == 1) return std::nullopt;
  for (std::size_t l = 0; l < nest.loops.size() && nest.loops[l].kind != LoopKind::Block; ++l)
    if (std::ranges::find(overlaps, nest.loops[l].ref.axis) != overlaps.end()) inside = l + 1;
  // The member is placed one level outside of the chosen loop. Not in the paper: unrolled loops
  // stay inside, because their copies share what they need.
  while (inside < nest.loops.size() && nest.loops[inside].kind == LoopKind::Unrolled)
    ++inside;
  const FuncId func = schedule.pipeline()->stage(*consumer).func;
  Place place;
  if (inside < nest.loops.size())
    place = Place::at(*consumer, nest.loops[inside].ref);
  else if (func != group.output)
    place = schedule.plan(func).compute;
  else
    return std::nullopt;
  if (place == schedule.plan(member).compute) return std::nullopt;
  return place;
}

} // namespace tessera::search
