// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/kept_storage.h"

#include "engine/schedule/bounds/tails.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Stage;

namespace {

constexpr std::int64_t kVectorBytes = 16;

bool hasVectors(const FuncPlan &plan) {
  return !plan.isInline() && std::ranges::any_of(plan.stages, [](const StagePlan &stage) {
    return stage.nest.contains(LoopKind::Vectorized);
  });
}

// Calls `visit(axis, factor, tail)` for each split axis of a stage, with its outermost factor and
// the tail that Halide performs. Tails of inner splits never exceed the region.
template <typename Visit>
void visitTails(const Stage &stage, const LoopNest &nest, const Visit &visit) {
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    const std::vector<Split> &splits = nest.axes[a].splits;
    if (splits.empty()) continue;
    visit(a, splits.front().factor, performed(splits.front().tail, stage.index > 0, false));
  }
}

// Whether the tails of a stage stay inside of `extent` along a dimension of its func. A tail that
// shifts inwards stays inside if one tile fits.
bool staysInside(const Stage &stage, const LoopNest &nest, std::size_t dim, std::int64_t extent) {
  bool isInside = true;
  visitTails(stage, nest, [&](std::uint16_t axis, std::int64_t factor, Tail tail) {
    if (!isInside || guards(tail) || (shifts(tail) && factor <= extent)) return;
    for (const std::uint16_t loop : dimsOf(nest, {axis, 0}))
      if (stage.loops[loop].argument.value_or(dim) == dim) isInside = false;
  });
  return isInside;
}

// Whether no tail of a func goes beyond its region along a dimension.
bool staysInside(const Pipeline &pipeline, const FuncPlan &plan, FuncId id, std::size_t dim) {
  const std::int64_t whole = pipeline.func(id).region[dim].extent();
  return std::ranges::all_of(pipeline.stagesOf(id), [&](const Stage &stage) {
    return staysInside(stage, plan.stages[stage.index].nest, dim, whole);
  });
}

// How far the last tile of a func may be shifted inwards along a dimension: by less than the split
// factor.
std::int64_t mostShift(const Pipeline &pipeline, const FuncPlan &plan, FuncId id, std::size_t dim) {
  std::int64_t most = 0;
  for (const Stage &stage : pipeline.stagesOf(id)) {
    const LoopNest &nest = plan.stages[stage.index].nest;
    visitTails(stage, nest, [&](std::uint16_t axis, std::int64_t factor, Tail tail) {
      if (!shifts(tail)) return;
      for (const std::uint16_t loop : dimsOf(nest, {axis, 0}))
        if (stage.loops[loop].argument == dim) most = std::max(most, factor - 1);
    });
  }
  return most;
}

// The funcs whose tails go beyond the func's region, so that they read beyond the region of their
// producers.
std::vector<FuncId> overrunning(const Schedule &schedule, std::span<const FuncId> funcs) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<FuncId> result;
  for (const FuncId id : funcs) {
    const FuncPlan &plan = schedule.plan(id);
    if (plan.isInline()) continue;
    for (std::size_t d = 0; d < pipeline.func(id).args.size(); ++d)
      if (!staysInside(pipeline, plan, id, d)) {
        result.push_back(id);
        break;
      }
  }
  return result;
}

std::int64_t roundedUp(std::int64_t extent, std::int64_t multiple) {
  return (extent + multiple - 1) / multiple * multiple;
}

// The longest dimension. Padding is added there, since it adds the least memory there.
std::size_t longest(const Bounds::FuncBounds &bounds) {
  const auto side = std::ranges::max_element(bounds.stored, {}, &pipeline::Interval::extent);
  return static_cast<std::size_t>(side - bounds.stored.begin());
}

std::int64_t narrowest(const Func &func) {
  std::int64_t bytes = kVectorBytes;
  for (const pipeline::ScalarType type : func.types)
    bytes = std::min<std::int64_t>(bytes, type.bytes());
  return bytes;
}

// Whether each block of a kernel stores the func as a whole.
bool isStoredByBlock(const Schedule &schedule, const Bounds &bounds, FuncId id) {
  const FuncPlan &plan = schedule.plan(id);
  return !plan.isInline() && bounds.of(id).storeDepth == Depth::Block &&
         plan.storage != Storage::Registers && plan.storage != Storage::Stack;
}

std::vector<std::int64_t> widestByKernel(const Schedule &schedule, const Bounds &bounds,
                                         std::span<const FuncId> funcs) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::vector<std::int64_t> widest(pipeline.funcs().size(), 1), counts(widest.size(), 0);
  for (const FuncId id : funcs) {
    if (!isStoredByBlock(schedule, bounds, id)) continue;
    const std::size_t kernel = index(bounds.of(id).kernel);
    ++counts[kernel];
    for (const pipeline::ScalarType type : pipeline.func(id).types)
      widest[kernel] = std::max<std::int64_t>(widest[kernel], type.bytes());
  }
  for (std::size_t kernel = 0; kernel < widest.size(); ++kernel)
    if (counts[kernel] < 2) widest[kernel] = 1;
  return widest;
}

std::vector<bool> vectorsByKernel(const Schedule &schedule, const Bounds &bounds,
                                  std::span<const FuncId> funcs) {
  std::vector<bool> kernels(schedule.pipeline()->funcs().size());
  for (const FuncId func : funcs)
    if (hasVectors(schedule.plan(func))) kernels[index(bounds.of(func).kernel)] = true;
  return kernels;
}

// Whether any loop around a place is made of fused ones.
bool hasFusedAround(const Schedule &schedule, Place place) {
  for (; place.kind == Place::Kind::At;
       place = schedule.plan(schedule.pipeline()->stage(place.stage).func).compute) {
    const std::vector<Axis> &axes = schedule.plan(place.stage).nest.axes;
    if (std::ranges::any_of(axes, [](const Axis &axis) { return !axis.fused.empty(); }))
      return true;
  }
  return false;
}

} // namespace

KeptStorage::KeptStorage(const Schedule &schedule, const Bounds &bounds,
                         std::span<const FuncId> funcs)
    : m_schedule(schedule), m_bounds(bounds), m_vectors(vectorsByKernel(schedule, bounds, funcs)),
      m_widest(widestByKernel(schedule, bounds, funcs)),
      m_overrunning(overrunning(schedule, funcs)) {}

std::int64_t KeptStorage::unit(FuncId id) const {
  const std::size_t kernel = index(m_bounds.of(id).kernel);
  if (m_vectors[kernel]) return kVectorBytes;
  return isStoredByBlock(m_schedule, m_bounds, id) ? m_widest[kernel] : 1;
}

StorageDim KeptStorage::dim(FuncId id, std::size_t dim) const {
  const std::vector<StorageDim> &decided = m_schedule.plan(id).storageDims;
  if (decided.empty()) return undecided(id, dim);
  StorageDim result = dim < decided.size() ? decided[dim] : StorageDim{};
  if (result.bound == 0 && isKept(id) && isBounded(id, dim))
    result.bound = roundedUp(m_bounds.of(id).stored[dim].extent(),
                             std::max<std::int64_t>(result.alignment, 1));
  return result;
}

Storage KeptStorage::storage(FuncId id) const {
  return isOnStack(id) ? Storage::Stack : m_schedule.plan(id).storage;
}

bool KeptStorage::isOnStack(FuncId id) const {
  const FuncPlan &plan = m_schedule.plan(id);
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  return plan.storage == Storage::Registers && !plan.isInline() &&
         bounds.storeDepth == Depth::Block && bounds.extent() != Extent::Constant &&
         hasFusedAround(m_schedule, plan.storePlace());
}

// The padding and the bound of a dimension for which nothing is decided.
StorageDim KeptStorage::undecided(FuncId id, std::size_t dim) const {
  StorageDim result;
  if (!isKept(id)) return result;
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const std::int64_t multiple = !isOnStack(id) && isPadded(id) && dim == longest(bounds)
                                    ? unit(id) / narrowest(m_schedule.pipeline()->func(id))
                                    : 1;
  if (isBounded(id, dim))
    result.bound = roundedUp(bounds.stored[dim].extent(), multiple);
  else if (multiple > 1)
    result.alignment = multiple;
  return result;
}

std::int64_t KeptStorage::extent(FuncId id, std::size_t d) const {
  const StorageDim dim = this->dim(id, d);
  std::int64_t extent = inTile(id, d);
  // A fold changes nothing: Halide folds only what is stored further out than it is computed.
  if (dim.bound) extent = dim.bound;
  return dim.alignment ? roundedUp(extent, dim.alignment) : extent;
}

std::int64_t KeptStorage::needed(FuncId id, std::size_t d) const {
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const std::int64_t tile = std::max(bounds.stored[d].extent(), inTile(id, d));
  const bool isEndless = bounds.storeDepth == Depth::Block && bounds.extents[d] >= Extent::Loose;
  return isEndless ? std::max(tile, m_schedule.pipeline()->func(id).region[d].extent()) : tile;
}

std::int64_t KeptStorage::elements(FuncId id) const {
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const bool isAsStored = m_schedule.plan(id).storageDims.empty() &&
                          bounds.storeDepth != Depth::Thread && !m_vectors[index(bounds.kernel)] &&
                          !isPadded(id);
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < bounds.stored.size(); ++d) {
    const std::int64_t extent = isAsStored ? inTile(id, d) : this->extent(id, d);
    elements = pipeline::saturatingMultiply(elements, extent);
  }
  return elements;
}

// The extent of a tile that is stored. If a tile reaches beyond the end and guards cut it, a block
// stores only what is left of it. If the func is read beyond its end and its last tile is shifted
// inwards, the elements that the shift adds are stored, too.
std::int64_t KeptStorage::inTile(FuncId id, std::size_t dim) const {
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const std::int64_t tile = bounds.stored[dim].extent();
  if (bounds.storeDepth != Depth::Block || bounds.extents[dim] < Extent::Guarded) return tile;
  const Pipeline &pipeline = *m_schedule.pipeline();
  const FuncPlan &plan = m_schedule.plan(id);
  if (isReadBeyond(id)) {
    const pipeline::Interval asked = (plan.store ? bounds.stored : bounds.computed)[dim];
    const std::int64_t shift = mostShift(pipeline, plan, id, dim);
    return std::max(tile, pipeline::saturatingAdd(asked.extent(), shift));
  }
  return staysInside(pipeline, plan, id, dim)
             ? std::min(tile, pipeline.func(id).region[dim].extent())
             : tile;
}

bool KeptStorage::isReadBeyond(FuncId id) const {
  return std::ranges::any_of(m_overrunning, [&](const FuncId reader) {
    return reader > id && m_bounds.of(reader).kernel == m_bounds.of(id).kernel;
  });
}

std::int64_t KeptStorage::bytes(FuncId id) const {
  std::int64_t bytes = 0;
  for (const pipeline::ScalarType type : m_schedule.pipeline()->func(id).types)
    bytes += type.bytes();
  return pipeline::saturatingMultiply(elements(id), bytes);
}

// Whether the func is stored inside of a kernel, per thread or per block. The registers of a block
// count only where they are called the stack: they are divided among its threads.
bool KeptStorage::isKept(FuncId id) const {
  const Func &func = m_schedule.pipeline()->func(id);
  const FuncPlan &plan = m_schedule.plan(id);
  if (plan.isInline() || func.isOutput || func.args.empty()) return false;
  const Depth depth = m_bounds.of(id).storeDepth;
  return depth == Depth::Thread ||
         (depth == Depth::Block && (plan.storage != Storage::Registers || isOnStack(id)));
}

// Whether the schedule has to state a bound with bound_storage. Storage per block needs none, since
// Halide computes its size at the launch.
bool KeptStorage::isBounded(FuncId id, std::size_t dim) const {
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const Extent extent = bounds.extents[dim];
  return (bounds.storeDepth == Depth::Thread || isOnStack(id)) && extent != Extent::Constant &&
         extent != Extent::Whole;
}

// Whether the func has to be padded, because its size may not be a multiple of its unit.
bool KeptStorage::isPadded(FuncId id) const {
  const Bounds::FuncBounds &bounds = m_bounds.of(id);
  const std::int64_t unit = this->unit(id);
  if (unit <= narrowest(m_schedule.pipeline()->func(id))) return false;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < bounds.stored.size(); ++d) {
    if (bounds.extents[d] > Extent::Fixed && !isBounded(id, d)) return true;
    elements = elements * (bounds.stored[d].extent() % unit) % unit;
  }
  const std::vector<pipeline::ScalarType> &types = m_schedule.pipeline()->func(id).types;
  return std::ranges::any_of(
      types, [&](const pipeline::ScalarType type) { return elements * type.bytes() % unit != 0; });
}

} // namespace tessera::schedule
