// SPDX-License-Identifier: MIT
#include "engine/schedule/frame_padding.h"

#include "engine/schedule/legality.h"
#include "engine/schedule/shape.h"

#include <algorithm>
#include <vector>

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

std::map<FuncId, Padding> framePadding(const Schedule &schedule) {
  const Pipeline &pipeline = *schedule.pipeline();
  const auto funcs = static_cast<std::uint32_t>(pipeline.funcs().size());
  std::vector<FuncId> vectors;
  for (std::uint32_t f = 0; f < funcs; ++f)
    if (hasVectors(schedule.plan(FuncId{f}))) vectors.push_back(FuncId{f});
  std::map<FuncId, Padding> padding;
  if (vectors.empty() || !isSound(schedule)) return padding;
  const Shape shape(schedule);
  std::vector<bool> inKernel(funcs);
  for (const FuncId id : vectors)
    inKernel[index(shape.of(id).kernel)] = true;
  for (std::uint32_t f = 0; f < funcs; ++f) {
    const FuncId id{f};
    const Func &func = pipeline.func(id);
    const Shape::FuncShape &of = shape.of(id);
    if (inKernel[index(of.kernel)] && needsPadding(func, schedule.plan(id), of))
      padding.emplace(id, paddingOf(func, of));
  }
  return padding;
}

} // namespace tessera::schedule
