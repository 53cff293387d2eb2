// SPDX-License-Identifier: MIT
#include "engine/cost/layout.h"

#include <algorithm>
#include <span>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Schedule;
using schedule::Shape;

Layout layoutOf(const Schedule &schedule, const Shape &shape, Producer producer) {
  const Pipeline &pipeline = *schedule.pipeline();
  Layout layout;
  std::vector<Interval> &box = layout.box;
  std::span<const std::uint16_t> order;
  if (producer.kind == Producer::Kind::Input) {
    box = pipeline.producerRegion(producer);
    layout.elementBytes =
        pipeline.input(static_cast<pipeline::InputId>(producer.index)).type.bytes();
  } else {
    const auto id = static_cast<FuncId>(producer.index);
    const std::span<const Interval> stored = shape.of(id).stored;
    box.assign(stored.begin(), stored.end());
    if (box.empty()) box = pipeline.func(id).region; // of a kernel that nobody asked about
    order = schedule.plan(id).layout;
    layout.elementBytes = pipeline.func(id).types.front().bytes();
    layout.tupleSize = static_cast<double>(pipeline.func(id).types.size());
  }
  layout.strides.resize(box.size());
  double stride = layout.elementBytes;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::size_t d = order.empty() ? i : order[i];
    layout.strides[d] = stride;
    stride *= static_cast<double>(std::max<std::int64_t>(1, box[d].extent()));
  }
  return layout;
}

} // namespace tessera::cost
