// SPDX-License-Identifier: MIT
#include "engine/cost/load/body_access.h"

#include "engine/cost/load/run_facts.h"
#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::cost {

using pipeline::Interval;
using schedule::LoopKind;

namespace {

// Bytes of the widest access of a thread (CUDA C++ Programming Guide, "Device Memory Accesses").
constexpr double kWidestAccess = 16;

// Elements that one instruction loads or stores for a vectorised loop over adjacent elements.
double vectorWidth(const FlatLoop &vector, double elementBytes) {
  return std::max(1.0,
                  std::min(static_cast<double>(vector.iterations), kWidestAccess / elementBytes));
}

// Elements that one instruction loads or stores without a vectorised loop. LLVM merges adjacent
// accesses if it can prove that they are aligned, so each row and each thread's part has to begin
// at a multiple of the width.
double sideBySide(const Layout &layout, std::span<const Interval> box, const WarpAccess &access) {
  for (const double width : {4.0, 2.0}) {
    const double bytes = width * layout.elementBytes;
    bool isAligned = bytes <= kWidestAccess;
    for (std::size_t d = 0; d < box.size(); ++d)
      isAligned = isAligned && (layout.strides[d] > layout.elementBytes
                                    ? beyond(layout.strides[d], bytes) == 0
                                    : static_cast<double>(box[d].extent()) >= width);
    for (const double stride : access.strides)
      isAligned = isAligned && beyond(stride, bytes) == 0;
    if (isAligned) return width;
  }
  return 1;
}

// Changes `access` for an index that depends on data: each thread may access any position along
// this side of the box.
void scatter(WarpAccess &access, double stride, const Interval &side) {
  const auto places = static_cast<double>(side.extent());
  access.scattered = std::max(access.scattered, stride * places);
  access.places *= places;
  access.first = WarpAccess::kAnywhere;
}

// WarpAccess::first, the offset of the first thread's access. It is known only if rows begin at
// sector boundaries and the elements of two threads do not overlap.
double firstOf(const Layout &layout, std::span<const Interval> here, const WarpAccess &access) {
  double first = 0;
  for (std::size_t d = 0; d < here.size(); ++d) {
    first += layout.strides[d] * static_cast<double>(here[d].min - layout.box[d].min);
    if (layout.strides[d] > layout.elementBytes) {
      if (beyond(layout.strides[d], kSectorBytes) != 0) return WarpAccess::kAnywhere;
    } else if (static_cast<double>(here[d].extent()) * layout.elementBytes >
               std::abs(access.strides[0])) {
      return WarpAccess::kAnywhere;
    }
  }
  return first < 0 ? WarpAccess::kAnywhere : first;
}

} // namespace

std::array<std::int64_t, kBlockDims> lanesOf(const Run &run, const Launch &launch,
                                             std::int64_t warpSize) {
  std::array<std::int64_t, kBlockDims> lanes{1, 1, 1};
  std::int64_t left = warpSize;
  for (std::size_t d = 0; d < kBlockDims && left > 1; ++d) {
    lanes[d] = std::min(left, run.active[d]);
    left /= std::max<std::int64_t>(1, std::min(left, launch.blockThreads[d]));
  }
  return lanes;
}

void BodyAccess::look(const pipeline::Pipeline &pipeline, const Run &run, const Launch &launch,
                      std::int64_t warpSize) {
  m_pipeline = &pipeline;
  m_run = &run;
  m_stage = &pipeline.stage(run.stage);
  m_lanes = lanesOf(run, launch, warpSize);
  m_isMoved = {};
  run.overBody(m_body);
  run.reads->evaluate(m_body, m_boxes);
  findStoreBox(m_body, m_stored);
}

double BodyAccess::storedElements() {
  const double inBox = volumeOf(m_stored);
  m_over = m_body;
  const double copies = narrowToCopy(
      *m_run, [this](const FlatLoop &loop) { return leavesGaps(*m_run, loop); }, m_over);
  if (copies == 1) return inBox;
  findStoreBox(m_over, m_storedThere);
  return std::min(inBox, copies * volumeOf(m_storedThere));
}

void BodyAccess::findStoreBox(std::span<const Interval> over, std::vector<Interval> &box) const {
  const std::span<const pipeline::OneLoopMap> maps = m_pipeline->storeMaps(m_run->stage);
  box.resize(maps.size());
  for (std::size_t d = 0; d < maps.size(); ++d) {
    box[d] = maps[d] ? maps[d].evaluate(over[maps[d].loop()])
                     : pipeline::evaluate(m_stage->store.indices[d], over);
    if (!box[d].bounded()) box[d] = m_pipeline->func(m_stage->func).region[d];
  }
}

bool BodyAccess::storesTheSame(std::span<const Interval> over) {
  findStoreBox(over, m_storedThere);
  return m_storedThere == m_stored;
}

// The boxes that the last thread of a warp along a block dimension reads, for all sources.
std::span<const Interval> BodyAccess::readBy(std::size_t blockDim) {
  if (!m_isMoved[blockDim]) {
    shiftToLast(blockDim);
    m_run->reads->evaluate(m_over, m_moved[blockDim]);
    m_isMoved[blockDim] = true;
  }
  return m_moved[blockDim];
}

void BodyAccess::shiftToLast(std::size_t blockDim) {
  m_run->shift(m_body, blockDim, static_cast<double>(m_lanes[blockDim] - 1), m_over);
}

WarpAccess BodyAccess::load(const Reads::Source &source, const Layout &layout) {
  const std::span<const Interval> box = boxOf(source);
  WarpAccess access =
      accessOf(layout, box, [&](std::size_t blockDim) { return source.boxIn(readBy(blockDim)); });
  for (std::size_t d = 0; d < source.dims; ++d)
    if (threadsDecide(m_run->reads->gatheredBy(source.firstDim + d)))
      scatter(access, layout.strides[d], box[d]);
  return access;
}

// Whether the threads of a warp differ in the index of one of these loops, so that they can access
// different elements.
bool BodyAccess::threadsDecide(std::uint32_t loops) const {
  if (loops == Reads::kBeyondLoops) return true;
  for (; loops != 0; loops &= loops - 1)
    for (std::size_t d = 0; d < kBlockDims; ++d)
      if (m_lanes[d] > 1 &&
          m_run->threadSteps[d][static_cast<std::size_t>(std::countr_zero(loops))] != 0)
        return true;
  return false;
}

WarpAccess BodyAccess::store(const Layout &layout) {
  WarpAccess access = accessOf(layout, m_stored, [&](std::size_t blockDim) {
    shiftToLast(blockDim);
    findStoreBox(m_over, m_storedThere);
    return std::span<const Interval>(m_storedThere);
  });
  for (std::size_t d = 0; d < m_stored.size(); ++d)
    if (schedule::isAnywhere(m_stage->store.indices[d]))
      scatter(access, layout.strides[d], m_stored[d]);
  return access;
}

double BodyAccess::loadWidth(const Reads::Source &source, const Layout &layout,
                             const WarpAccess &access) {
  return std::max(vectorised(source, layout.elementBytes),
                  sideBySide(layout, boxOf(source), access));
}

double BodyAccess::storeWidth(const Layout &layout) const {
  const bool isAlong = isVector() && m_run->loops.front().dim == 0;
  return isAlong ? vectorWidth(m_run->loops.front(), layout.elementBytes) : 1;
}

// The access of a full warp. A body of the first thread accesses `here`; `boxOf` gives what the
// warp's last thread along a dimension of the block accesses. The distance of the two boxes gives
// the stride between neighbouring threads.
template <typename BoxOf>
WarpAccess BodyAccess::accessOf(const Layout &layout, std::span<const Interval> here,
                                const BoxOf &boxOf) const {
  WarpAccess access{m_lanes, {0, 0, 0}, layout.elementBytes};
  for (std::size_t d = 0; d < kBlockDims; ++d) {
    if (access.lanes[d] <= 1) continue;
    const auto last = static_cast<double>(access.lanes[d] - 1);
    const std::span<const Interval> there = boxOf(d);
    for (std::size_t i = 0; i < here.size(); ++i)
      access.strides[d] +=
          static_cast<double>(there[i].min - here[i].min) / last * layout.strides[i];
  }
  access.first = firstOf(layout, here, access);
  return access;
}

// The vector width if a vectorised loop reads adjacent elements, otherwise 1. It is not used for
// global memory, where rows may begin anywhere, so that vectors are split into elements.
double BodyAccess::vectorised(const Reads::Source &source, double elementBytes) {
  if (!isVector() || source.dims == 0) return 1;
  const FlatLoop &vector = m_run->loops.front();
  m_over = m_run->base;
  m_run->reads->evaluate(m_over, m_there);
  const std::int64_t first = m_there[source.firstDim].min;
  m_over[vector.dim].min += vector.reach();
  m_over[vector.dim].max += vector.reach();
  m_run->reads->evaluate(m_over, m_there);
  if (m_there[source.firstDim].min - first != vector.iterations - 1) return 1;
  return vectorWidth(vector, elementBytes);
}

bool BodyAccess::isVector() const {
  return m_run->bodyLoops > 0 && m_run->loops.front().kind == LoopKind::Vectorized;
}

} // namespace tessera::cost
