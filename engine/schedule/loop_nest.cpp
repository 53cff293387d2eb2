// SPDX-License-Identifier: MIT
#include "engine/schedule/loop_nest.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::schedule {

bool LoopNest::contains(LoopKind kind) const {
  return std::any_of(loops.begin(), loops.end(),
                     [kind](const Loop &loop) { return loop.kind == kind; });
}

LoopNest plainNest(const pipeline::Stage &stage) {
  LoopNest nest;
  nest.axes.resize(stage.loops.size());
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    nest.loops.push_back({{static_cast<std::uint16_t>(d), 0}, LoopKind::Serial});
  return nest;
}

std::int64_t partExtent(const Axis &axis, std::int64_t extent, std::size_t part) {
  const std::int64_t whole = part == 0 ? extent : axis.splits[part - 1].factor;
  if (part == axis.splits.size()) return whole;
  const std::int64_t factor = axis.splits[part].factor;
  return whole / factor + (whole % factor != 0 ? 1 : 0);
}

std::int64_t axisExtent(const LoopNest &nest, std::uint16_t axis,
                        std::span<const std::int64_t> dims) {
  if (axis < dims.size()) return dims[axis];
  std::int64_t product = 1;
  for (const LoopRef source : nest.axes[axis].fused)
    product = pipeline::saturatingMultiply(product, loopExtent(nest, source, dims));
  return product;
}

std::int64_t loopExtent(const LoopNest &nest, LoopRef ref, std::span<const std::int64_t> dims) {
  return partExtent(nest.axes[ref.axis], axisExtent(nest, ref.axis, dims), ref.part);
}

std::vector<std::int64_t> loopExtents(const LoopNest &nest, std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> extents;
  extents.reserve(nest.loops.size());
  for (const Loop &loop : nest.loops)
    extents.push_back(loopExtent(nest, loop.ref, dims));
  return extents;
}

std::vector<std::uint16_t> dimsOf(const LoopNest &nest, LoopRef ref) {
  const Axis &axis = nest.axes[ref.axis];
  if (axis.fused.empty()) return {ref.axis};
  std::vector<std::uint16_t> dims;
  for (const LoopRef source : axis.fused)
    for (const std::uint16_t dim : dimsOf(nest, source))
      if (std::find(dims.begin(), dims.end(), dim) == dims.end()) dims.push_back(dim);
  return dims;
}

} // namespace tessera::schedule
