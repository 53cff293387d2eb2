// SPDX-License-Identifier: MIT
#include "engine/schedule/frame_padding.h"

#include "engine/schedule/legality.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;

namespace {

constexpr std::int64_t kVectorBytes = 16;

bool hasVectors(const FuncPlan &plan) {
  return !plan.isInline() && std::ranges::any_of(plan.stages, [](const StagePlan &stage) {
    return stage.nest.contains(LoopKind::Vectorized);
  });
}

// Whether a func is in the frame of a thread at all, and not in whole vectors by itself.
bool needsPadding(const Func &func, const FuncPlan &plan, const Shape::FuncShape &shape) {
  if (plan.isInline() || func.isOutput || func.args.empty() || shape.storeDepth != Depth::Thread)
    return false;
  if (shape.extent() > Extent::Fixed) return true;
  std::int64_t elements = 1;
  for (const pipeline::Interval &side : shape.stored)
    elements = elements * side.extent() % kVectorBytes;
  return std::ranges::any_of(func.types, [&](const pipeline::ScalarType type) {
    return elements * type.bytes() % kVectorBytes != 0;
  });
}

// Of the longest dimension, where it adds least.
Padding paddingOf(const Func &func, const Shape::FuncShape &shape) {
  const auto longest = std::ranges::max_element(
      shape.stored, {}, [](const pipeline::Interval &side) { return side.extent(); });
  std::int64_t bytes = kVectorBytes;
  for (const pipeline::ScalarType type : func.types)
    bytes = std::min<std::int64_t>(bytes, type.bytes());
  return {static_cast<std::size_t>(longest - shape.stored.begin()), kVectorBytes / bytes};
}

} // namespace

std::vector<bool> kernelsWithVectors(const Schedule &schedule, const Shape &shape) {
  const auto funcs = static_cast<std::uint32_t>(schedule.pipeline()->funcs().size());
  std::vector<bool> kernels(funcs);
  for (std::uint32_t f = 0; f < funcs; ++f)
    if (hasVectors(schedule.plan(FuncId{f}))) kernels[index(shape.of(FuncId{f}).kernel)] = true;
  return kernels;
}

std::map<FuncId, Padding> framePadding(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  const auto funcs = static_cast<std::uint32_t>(pipeline.funcs().size());
  std::uint32_t first = 0; // with vectors
  while (first < funcs && !hasVectors(schedule.plan(FuncId{first})))
    ++first;
  std::map<FuncId, Padding> padding;
  if (first == funcs || !isSound(schedule)) return padding;
  const Shape shape(schedule);
  const std::vector<bool> vectors = kernelsWithVectors(schedule, shape);
  for (std::uint32_t f = 0; f < funcs; ++f) {
    const FuncId id{f};
    const Func &func = pipeline.func(id);
    const Shape::FuncShape &of = shape.of(id);
    if (vectors[index(of.kernel)] && needsPadding(func, schedule.plan(id), of))
      padding.emplace(id, paddingOf(func, of));
  }
  return padding;
}

} // namespace tessera::schedule
