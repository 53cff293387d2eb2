// SPDX-License-Identifier: MIT
#include "engine/block/block_handles.h"

#include "engine/cost/predictor.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/directives/loop_names.h"
#include "engine/schedule/edits/parts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tessera::block {

using schedule::Edit;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;

std::string_view name(HandleKind kind) {
  switch (kind) {
  case HandleKind::Threads:
    return "threads";
  case HandleKind::Points:
    return "points";
  case HandleKind::Vector:
    return "vector";
  }
  return {};
}

namespace {

bool isThreadLoop(const Loop &loop) { return cost::isThread(loop.kind); }

// Whether a part of an axis has no loop of its own, because it is fused into another axis.
bool isFusedAway(const LoopNest &nest, LoopRef ref) { return !nest.find(ref).has_value(); }

// Name of an axis: its dimension, or all dimensions that are fused into it.
std::string nameOf(const pipeline::Stage &stage, const LoopNest &nest, std::uint16_t axis) {
  std::string text;
  for (const std::uint16_t dim : schedule::dimsOf(nest, {axis, 0}))
    text += (text.empty() ? "" : "·") + stage.loops[dim].name;
  return text;
}

// The thread loop of a handle, and what lies inside of it on its axis.
class HandleAxis {
public:
  HandleAxis(const Schedule &schedule, pipeline::StageId stage, LoopRef thread)
      : m_schedule(schedule), m_id(stage), m_stage(schedule.pipeline()->stage(stage)),
        m_nest(schedule.plan(stage).nest), m_thread(thread) {}

  const LoopNest &nest() const { return m_nest; }
  const pipeline::Stage &stage() const { return m_stage; }
  // Whether the axis has another thread loop inside of this one. Points and vectors are inside of
  // the innermost.
  bool hasThreadsInside() const {
    return std::ranges::any_of(m_nest.loops, [this](const Loop &loop) {
      return isThreadLoop(loop) && loop.ref.axis == m_thread.axis && loop.ref.part > m_thread.part;
    });
  }
  // The part that holds the points of a thread: the one directly inside of the thread loop's part,
  // unless it is vectorised.
  std::optional<LoopRef> points() const {
    const LoopRef inner = insideOfThread();
    const auto at = m_nest.find(inner);
    return at && m_nest.loops[*at].kind != LoopKind::Vectorized ? std::optional(inner)
                                                                : std::nullopt;
  }
  std::optional<LoopRef> vector() const {
    for (const Loop &loop : m_nest.loops)
      if (loop.ref.axis == m_thread.axis && loop.kind == LoopKind::Vectorized) return loop.ref;
    return std::nullopt;
  }
  // Whether a loop on another axis of the stage is vectorised.
  bool hasOtherVector() const {
    return std::ranges::any_of(m_nest.loops, [this](const Loop &loop) {
      return loop.kind == LoopKind::Vectorized && loop.ref.axis != m_thread.axis;
    });
  }
  std::int64_t sizeOf(LoopRef ref) const {
    const schedule::Axis &axis = m_nest.axes[ref.axis];
    if (ref.part == 0) return 1;
    return std::max<std::int64_t>(1, axis.inside(ref.part - 1U) / axis.inside(ref.part));
  }
  std::int64_t pointsOfThread() const { return insideOf(m_thread) / vectorInside(m_thread); }
  // The points that one iteration of the loop points() computes: several, if other loops are inside
  // of it. Without such a loop: the points that one iteration of a new loop would compute.
  std::int64_t pointsOfIteration() const {
    const auto part = points();
    return part ? insideOf(*part) / vectorInside(*part) : pointsOfThread();
  }
  // Whether a func is computed, stored or hoisted at this loop, or another stage shares it
  // (compute_with names the innermost shared loop).
  bool isPlace(LoopRef ref) const {
    const auto names = [&](const Place &place) {
      return place.kind == Place::Kind::At && place.stage == m_id && place.loop == ref;
    };
    return std::ranges::any_of(m_schedule.pipeline()->allFuncs(), [&](pipeline::FuncId func) {
      const FuncPlan &plan = m_schedule.plan(func);
      return names(plan.compute) || (plan.store && names(*plan.store)) ||
             (plan.hoist && names(*plan.hoist)) ||
             std::ranges::any_of(plan.stages, [&](const schedule::StagePlan &one) {
               return one.computeWith && one.computeWith->stage == m_id &&
                      m_nest.find(ref) >= m_nest.find(one.computeWith->loop);
             });
    });
  }

  LoopRef insideOfThread() const {
    return {m_thread.axis, static_cast<std::uint16_t>(m_thread.part + 1U)};
  }

  LoopNest withThreads(std::int64_t size) const { return resized(m_nest, m_thread, size); }
  LoopNest withPoints(std::int64_t size) const {
    const std::int64_t iterations = size / pointsOfIteration();
    if (const auto part = points()) return replaced(*part, iterations);
    return iterations == 1
               ? m_nest
               : withPart(m_nest, insideOfThread(), iterations, LoopKind::Unrolled, vectorLoops());
  }
  LoopNest withVector(std::int64_t size) const {
    if (const auto part = vector()) return replaced(*part, size);
    const LoopRef at{m_thread.axis, m_nest.axes[m_thread.axis].parts()};
    return size == 1 ? m_nest : withPart(m_nest, at, size, LoopKind::Vectorized, 0);
  }

private:
  std::int64_t insideOf(LoopRef ref) const { return m_nest.axes[ref.axis].inside(ref.part); }
  // The vector may be an outer part of the axis, whose lanes are apart from one another: then it is
  // not among what is inside of `ref`.
  std::int64_t vectorInside(LoopRef ref) const {
    const auto part = vector();
    return part && part->part > ref.part ? sizeOf(*part) : 1;
  }
  // A part with one iteration is removed, unless isPlace() says that its loop is needed.
  LoopNest replaced(LoopRef part, std::int64_t size) const {
    if (size > 1 || isPlace(part)) return resized(m_nest, part, size);
    return withoutPart(m_nest, part);
  }
  std::size_t vectorLoops() const {
    return !m_nest.loops.empty() && m_nest.loops.front().kind == LoopKind::Vectorized ? 1 : 0;
  }

  const Schedule &m_schedule;
  pipeline::StageId m_id;
  const pipeline::Stage &m_stage;
  const LoopNest &m_nest;
  LoopRef m_thread;
};

// Sizes that people and searches choose: powers of two, and numbers between them that often divide
// an extent.
std::set<std::int64_t> sizesOf(HandleKind kind, const machine::Limits &limits) {
  switch (kind) {
  case HandleKind::Threads: {
    std::set<std::int64_t> sizes{3, 5, 6, 12, 20, 24, 40, 48, 96, 192, 384, 512, 768};
    for (std::int64_t size = 1; size <= limits.threadsPerBlock; size *= 2)
      sizes.insert(size);
    return sizes;
  }
  case HandleKind::Points:
    return {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32};
  case HandleKind::Vector:
    break;
  }
  return {1, 2, 4, 8, 16};
}

std::string refusalOf(const std::vector<schedule::Violation> &violations) {
  const schedule::Violation &first = violations.front();
  return first.allowed.empty() ? first.message : first.message + "; " + first.hint();
}

} // namespace

std::vector<BlockHandle> handlesOf(const Schedule &schedule, pipeline::StageId id) {
  const LoopNest &nest = schedule.plan(id).nest;
  const pipeline::Stage &stage = schedule.pipeline()->stage(id);
  const FuncPlan &plan = schedule.plan(stage.func);
  std::vector<BlockHandle> threads, points, vectors;
  if (plan.isInline()) return threads;
  std::size_t blockDim = 0;
  for (const Loop &loop : nest.loops) { // the innermost thread loop is x
    if (!isThreadLoop(loop) || blockDim >= cost::kBlockDims) continue;
    const HandleAxis axis(schedule, id, loop.ref);
    const std::string dim = nameOf(stage, nest, loop.ref.axis);
    BlockHandle handle{HandleKind::Threads, blockDim, loop.ref, dim, 0, {}};
    handle.value = axis.sizeOf(loop.ref);
    if (loop.ref.part == 0) {
      schedule::ShapeRoom room;
      const auto &bounds = room.measure(schedule, schedule.pipeline()->allFuncs());
      handle.value = bounds.of(id).loops[*nest.find(loop.ref)];
      handle.refusal = "All of " + dim +
                       " runs in threads, so the number of threads is its extent. Split " + dim +
                       " to choose another number.";
    }
    threads.push_back(handle);
    ++blockDim;
    if (axis.hasThreadsInside()) continue;
    handle.kind = HandleKind::Points;
    handle.refusal.clear();
    const auto part = axis.points();
    handle.value = axis.pointsOfThread();
    const LoopRef inner = axis.insideOfThread();
    if (!part && inner.part < nest.axes[inner.axis].parts() && isFusedAway(nest, inner))
      handle.refusal = "The loop over the points of a thread along " + dim +
                       " is fused with other loops, so its size cannot be changed here.";
    points.push_back(handle);
    const std::uint16_t innermost = plan.layout.empty() ? std::uint16_t{0} : plan.layout.front();
    if (loop.ref.axis == innermost || axis.vector()) {
      handle.kind = HandleKind::Vector;
      const auto vector = axis.vector();
      handle.value = vector ? axis.sizeOf(*vector) : 1;
      handle.refusal = !vector && axis.hasOtherVector()
                           ? "Another loop of the stage is vectorised already, and only one can be."
                       : vector && vector->part == 0
                           ? "All of " + dim +
                                 " is one vector, so the width is its extent. Split " + dim +
                                 " to choose another width."
                           : "";
      vectors.push_back(handle);
    }
  }
  threads.insert(threads.end(), points.begin(), points.end());
  threads.insert(threads.end(), vectors.begin(), vectors.end());
  return threads;
}

std::vector<HandleStop> stopsOf(const Schedule &schedule, const machine::Machine &machine,
                                pipeline::StageId id, const BlockHandle &handle,
                                const std::stop_token &stop) {
  std::vector<HandleStop> stops;
  const HandleAxis axis(schedule, id, handle.thread);
  std::set<std::int64_t> sizes{handle.value};
  if (handle.refusal.empty()) sizes.merge(sizesOf(handle.kind, machine.limits));
  schedule::KnownLegality legality(machine);
  cost::Predictor predictor(machine);
  const pipeline::Stage &stage = axis.stage();
  if (handle.kind == HandleKind::Points)
    std::erase_if(
        sizes, [each = axis.pointsOfIteration()](std::int64_t size) { return size % each != 0; });
  for (const std::int64_t size : sizes) {
    if (stop.stop_requested()) break;
    Edit edit{
        {stage.func, stage.index, schedule::DecisionKind::Factors, handle.thread.axis}, {}, {}};
    edit.plan = schedule.plan(stage.func);
    if (size != handle.value)
      edit.plan.stages[stage.index].nest =
          handle.kind == HandleKind::Threads  ? axis.withThreads(size)
          : handle.kind == HandleKind::Points ? axis.withPoints(size)
                                              : axis.withVector(size);
    HandleStop next{size, edit.decision, {}, {}, 0, {}, {}};
    next.text = handle.kind == HandleKind::Threads
                    ? handle.dim + ": " + std::to_string(size) + " threads"
                : handle.kind == HandleKind::Points
                    ? handle.dim + ": " + std::to_string(size) + " points per thread"
                    : handle.dim + ": vectors of " + std::to_string(size);
    schedule::Applied after = schedule::applied(schedule, edit, schedule::Origin::User, legality);
    if (after.isLegal()) {
      const cost::Prediction &prediction = predictor.predict(after.schedule);
      next.seconds = prediction.seconds;
      if (auto block = stageBlockOf(after.schedule, machine, prediction, id))
        next.block = std::make_shared<const StageBlock>(std::move(*block));
      next.schedule = std::move(after.schedule);
    } else {
      next.refusal = refusalOf(after.violations);
    }
    stops.push_back(std::move(next));
  }
  return stops;
}

HandleStep stepFrom(std::int64_t value, const std::vector<HandleStop> &stops, StepTo to) {
  HandleStep step;
  const auto pass = [&](const HandleStop &stop) {
    const bool isBeyond = to == StepTo::Larger ? stop.value > value : stop.value < value;
    if (!isBeyond || step.next) return;
    if (stop.isLegal())
      step.next = &stop;
    else if (!step.refused)
      step.refused = &stop;
  };
  if (to == StepTo::Larger)
    std::ranges::for_each(stops, pass);
  else
    std::ranges::for_each(stops.rbegin(), stops.rend(), pass);
  return step;
}

const HandleStop *nearestLegal(const std::vector<HandleStop> &stops, double value) {
  // Sizes are compared by their ratio: 24 lies as near to 16 as to 36.
  const auto away = [value](const HandleStop &stop) {
    return std::abs(std::log(std::max(value, 0.5)) - std::log(static_cast<double>(stop.value)));
  };
  const HandleStop *nearest = nullptr;
  for (const HandleStop &stop : stops)
    if (stop.isLegal() && (!nearest || away(stop) < away(*nearest))) nearest = &stop;
  return nearest;
}

} // namespace tessera::block
