// SPDX-License-Identifier: MIT
#include "engine/cost/layout.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Schedule;
using schedule::Shape;

std::span<const Interval> keptBox(const Schedule &schedule, const Shape &shape, FuncId func) {
  const std::span<const Interval> stored = shape.of(func).stored;
  if (!stored.empty()) return stored;
  return schedule.pipeline()->func(func).region; // of a kernel that nobody asked about
}

Layout layoutOf(const Schedule &schedule, const Shape &shape, Producer producer,
                std::span<const Interval> whole, std::vector<double> &strides) {
  const Pipeline &pipeline = *schedule.pipeline();
  Layout layout;
  std::span<const Interval> box = whole;
  std::span<const std::uint16_t> order;
  if (producer.kind == Producer::Kind::Input) {
    layout.elementBytes =
        pipeline.input(static_cast<pipeline::InputId>(producer.index)).type.bytes();
  } else {
    const auto id = static_cast<FuncId>(producer.index);
    box = keptBox(schedule, shape, id);
    order = schedule.plan(id).layout;
    layout.elementBytes = pipeline.func(id).types.front().bytes();
    layout.tupleSize = static_cast<double>(pipeline.func(id).types.size());
  }
  strides.resize(box.size());
  double stride = layout.elementBytes;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::size_t d = order.empty() ? i : order[i];
    strides[d] = stride;
    stride *= static_cast<double>(std::max<std::int64_t>(1, box[d].extent()));
  }
  layout.strides = strides;
  layout.box = box;
  return layout;
}

} // namespace tessera::cost
