// SPDX-License-Identifier: MIT
#include "engine/cost/load/layout.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Bounds;
using schedule::Schedule;

namespace {

std::uint32_t bitOf(std::size_t dim) { return dim < 32 ? std::uint32_t{1} << dim : 0; }

} // namespace

std::span<const Interval> keptBox(const Schedule &schedule, const Bounds &bounds, FuncId func) {
  const std::span<const Interval> stored = bounds.of(func).stored;
  if (!stored.empty()) return stored;
  // The bounds were not computed for this func's kernel.
  return schedule.pipeline()->func(func).region;
}

std::uint32_t rowsInBlock(const Schedule &schedule, const Bounds &bounds, FuncId func) {
  const Bounds::FuncBounds &kept = bounds.of(func);
  if (kept.storeDepth != schedule::Depth::Block) return 0;
  const schedule::FuncPlan &plan = schedule.plan(func);
  std::uint32_t rows = 0;
  bool isKnown = true;
  for (std::size_t i = 0; i < kept.extents.size(); ++i) {
    const std::size_t d = plan.layout.empty() ? i : plan.layout[i];
    if (!isKnown) rows |= bitOf(d);
    const bool isBounded = d < plan.storageDims.size() && plan.storageDims[d].bound > 0;
    isKnown = isKnown && (isBounded || kept.extents[d] <= schedule::Extent::Guarded);
  }
  return rows;
}

std::int64_t allocatedAlong(const schedule::FuncPlan &plan, std::size_t dim, const Interval &kept) {
  if (dim >= plan.storageDims.size()) return kept.extent();
  const schedule::StorageDim &decided = plan.storageDims[dim];
  const std::int64_t extent = decided.bound > 0 ? decided.bound : kept.extent();
  const std::int64_t unit = std::max<std::int64_t>(1, decided.alignment);
  return (extent + unit - 1) / unit * unit;
}

std::int64_t allocatedElements(const Schedule &schedule, const Bounds &bounds, FuncId func) {
  const std::span<const Interval> box = keptBox(schedule, bounds, func);
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < box.size(); ++d)
    elements =
        pipeline::saturatingMultiply(elements, allocatedAlong(schedule.plan(func), d, box[d]));
  return elements;
}

double Layout::rowsOf(std::span<const Interval> of) const {
  double count = 1;
  for (std::size_t d = 0; d < of.size(); ++d)
    if (isRow(d)) count *= static_cast<double>(of[d].extent());
  return count;
}

Layout layoutOf(const Schedule &schedule, const Bounds &bounds, Producer producer, bool isGlobal,
                std::span<const Interval> whole, std::vector<double> &strides) {
  const Pipeline &pipeline = *schedule.pipeline();
  Layout layout;
  std::span<const Interval> box = whole;
  const schedule::FuncPlan *plan = nullptr;
  if (producer.kind == Producer::Kind::Input) {
    layout.elementBytes =
        pipeline.input(static_cast<pipeline::InputId>(producer.index)).type.bytes();
  } else {
    const auto id = static_cast<FuncId>(producer.index);
    box = keptBox(schedule, bounds, id);
    plan = &schedule.plan(id);
    layout.elementBytes = pipeline.func(id).types.front().bytes();
    layout.tupleSize = static_cast<double>(pipeline.func(id).types.size());
    if (!isGlobal) layout.rows = rowsInBlock(schedule, bounds, id);
  }
  strides.resize(box.size());
  double stride = layout.elementBytes;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::size_t d = plan && !plan->layout.empty() ? plan->layout[i] : i;
    strides[d] = stride;
    if (isGlobal && stride > layout.elementBytes) layout.rows |= bitOf(d);
    const std::int64_t allocated = plan ? allocatedAlong(*plan, d, box[d]) : box[d].extent();
    stride *= static_cast<double>(std::max<std::int64_t>(1, allocated));
  }
  layout.strides = strides;
  layout.box = box;
  return layout;
}

} // namespace tessera::cost
