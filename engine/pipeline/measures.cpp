// SPDX-License-Identifier: MIT
#include "engine/pipeline/measures.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::pipeline {

namespace {

std::string timesText(const std::vector<std::string> &extents) {
  std::string text;
  for (const std::string &extent : extents)
    text += (text.empty() ? "" : "×") + extent;
  return text.empty() ? "scalar" : text;
}

} // namespace

std::uint64_t operationCount(const Stage &stage) {
  std::uint64_t count = 0;
  for (const OpCount &operation : stage.operations)
    if (operation.kind != OpKind::Load) count += operation.count;
  return count;
}

std::uint64_t loadCount(const Stage &stage) {
  std::uint64_t count = 0;
  for (const Access &load : stage.loads)
    count += load.count;
  return count;
}

std::int64_t evaluationCount(const Stage &stage) {
  Box loops;
  for (const LoopDim &loop : stage.loops)
    loops.push_back(loop.range);
  return volume(loops);
}

std::int64_t elementBytes(const Func &func) {
  std::int64_t bytes = 0;
  for (const ScalarType type : func.types)
    bytes += type.bytes();
  return bytes;
}

std::optional<std::int64_t> regionBytes(const Pipeline &pipeline, Producer producer) {
  const std::int64_t points = volume(pipeline.producerRegion(producer));
  if (points == kPlusInfinity) return std::nullopt;
  const std::int64_t bytes = producer.kind == Producer::Kind::Func
                                 ? elementBytes(pipeline.func(FuncId{producer.index}))
                                 : pipeline.input(InputId{producer.index}).type.bytes();
  return saturatingMultiply(points, bytes);
}

bool isReduction(const Stage &stage) {
  return std::any_of(stage.loops.begin(), stage.loops.end(),
                     [](const LoopDim &loop) { return loop.kind == LoopDim::Kind::Reduction; });
}

std::string typesText(const Func &func) {
  std::string text;
  for (const ScalarType type : func.types)
    text += (text.empty() ? "" : ", ") + toString(type);
  return func.types.size() == 1 ? text : "(" + text + ")";
}

std::string extentsText(const Box &box) {
  std::vector<std::string> extents;
  for (const Interval &side : box)
    extents.push_back(side.bounded() ? std::to_string(side.extent()) : "?");
  return timesText(extents);
}

std::string extentsText(std::span<const std::int64_t> extents) {
  std::vector<std::string> texts;
  for (const std::int64_t extent : extents)
    texts.push_back(std::to_string(extent));
  return timesText(texts);
}

} // namespace tessera::pipeline
