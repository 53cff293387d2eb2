// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_loop_order.h"

#include "engine/pipeline/footprint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace tessera::search {

using pipeline::Box;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Loop;
using schedule::LoopKind;
using schedule::Schedule;

namespace {

double firstElementBytes(const Pipeline &pipeline, Producer producer) {
  return static_cast<double>(producer.kind == Producer::Kind::Func
                                 ? pipeline.func(FuncId{producer.index}).types.front().bytes()
                                 : pipeline.inputs()[producer.index].type.bytes());
}

// The bytes between two elements of a buffer, given how far apart they are in each dimension.
template <typename StepsIn>
double distance(const Pipeline &pipeline, Producer producer, StepsIn stepsIn) {
  const Box region = pipeline.producerRegion(producer);
  double pitch = firstElementBytes(pipeline, producer), bytes = 0;
  for (std::size_t d = 0; d < region.size(); ++d) {
    if (const double steps = stepsIn(d); steps != 0) bytes += steps * pitch;
    pitch *= static_cast<double>(std::max<std::int64_t>(1, region[d].extent()));
  }
  return bytes;
}

// The distances of all loads of a stage between two iterations.
double between(const Schedule &schedule, StageId stage, const Box &here, const Box &next) {
  const Pipeline &pipeline = *schedule.pipeline();
  double bytes = 0;
  for (const pipeline::EdgeId id : pipeline.edgesInto(stage)) {
    const pipeline::Edge &edge = pipeline.edge(id);
    const Box from = pipeline::footprint(edge, here), to = pipeline::footprint(edge, next);
    const FuncId func{edge.producer.index};
    const bool isInlined =
        edge.producer.kind == Producer::Kind::Func && schedule.plan(func).isInline();
    const double each = isInlined ? between(schedule, pipeline.func(func).firstStage, from, to)
                                  : distance(pipeline, edge.producer, [&](std::size_t d) {
                                      // An index that is not known does not move.
                                      return std::abs(static_cast<double>(to[d].min - from[d].min));
                                    });
    bytes += each * edge.loads;
  }
  return bytes;
}

} // namespace

double strideAlong(const Schedule &schedule, StageId id, std::uint16_t loop) {
  const Pipeline &pipeline = *schedule.pipeline();
  const Stage &stage = pipeline.stage(id);
  // An iteration in the middle, since boundary conditions hold indices at the border.
  Box here;
  for (const LoopDim &dim : stage.loops) {
    const std::int64_t middle = dim.range.min + std::max<std::int64_t>(0, dim.range.extent() / 2);
    here.push_back({middle, middle});
  }
  Box next = here;
  next[loop] = {here[loop].min + 1, here[loop].max + 1};
  const std::optional<std::uint32_t> argument = stage.loops[loop].argument;
  const double stored = distance(pipeline, Producer::func(stage.func),
                                 [&](std::size_t d) { return argument == d ? 1. : 0.; });
  return between(schedule, id, here, next) + stored;
}

void orderByStride(const Schedule &schedule, StageId id, schedule::LoopNest &nest) {
  const Stage &stage = schedule.pipeline()->stage(id);
  const auto isInThread = [](const Loop &loop) {
    return loop.kind == LoopKind::Serial || loop.kind == LoopKind::Unrolled;
  };
  const auto last = std::ranges::find_if_not(nest.loops, isInThread);
  std::map<std::uint16_t, double> strides;
  std::vector<Loop> reductions;
  const auto isReduction = [&](const Loop &loop) {
    return stage.loops[loop.ref.axis].kind == LoopDim::Kind::Reduction;
  };
  for (auto loop = nest.loops.begin(); loop != last; ++loop) {
    if (loop->ref.axis >= stage.loops.size()) return; // a fused loop has no stride of its own
    strides.try_emplace(loop->ref.axis, strideAlong(schedule, id, loop->ref.axis));
    if (isReduction(*loop)) reductions.push_back(*loop);
  }
  std::stable_sort(nest.loops.begin(), last, [&](const Loop &a, const Loop &b) {
    return strides.at(a.ref.axis) < strides.at(b.ref.axis);
  });
  auto next = reductions.begin();
  for (auto loop = nest.loops.begin(); loop != last; ++loop)
    if (isReduction(*loop)) *loop = *next++;
}

} // namespace tessera::search
