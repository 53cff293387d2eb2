// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_cost.h"

#include "engine/search/mullapudi/member_threads.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>

// Mullapudi et al. 2016, sections 4.1 and 4.2; "line n" is a line of listing 2.
namespace tessera::search {

using pipeline::FootprintPlan;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;

namespace {

std::vector<FuncId> computed(const MullapudiGroup &group) {
  std::vector<FuncId> funcs = group.members;
  funcs.insert(funcs.end(), group.inlined.begin(), group.inlined.end());
  return funcs;
}

// An input without estimates may be read anywhere, so its extent is infinite.
double sideExtent(const Interval &side) {
  return static_cast<double>(side.empty() || side.bounded() ? side.extent()
                                                            : pipeline::kPlusInfinity);
}

double regionVolume(std::span<const Interval> box) {
  double points = 1;
  for (const Interval &side : box)
    points *= sideExtent(side);
  return points;
}

bool isFunc(const FootprintPlan::Entry &entry) {
  return entry.producer.kind == Producer::Kind::Func;
}

} // namespace

MullapudiCost::MullapudiCost(const Pipeline &pipeline, const MullapudiGroup &group,
                             const MullapudiParameters &parameters)
    : m_pipeline(pipeline), m_group(group), m_plan(pipeline, computed(group), group.output),
      m_boxes(m_plan.boxDims()), m_loadOps(m_plan.entries().size()) {
  for (const Interval &side : pipeline.func(group.output).region)
    m_region.push_back(side.empty() ? Interval{side.min, side.min} : side);
  const auto entries = m_plan.entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const FuncId func{entries[e].producer.index};
    if (!isFunc(entries[e]) || !std::ranges::binary_search(group.members, func)) continue;
    for (const pipeline::Stage &stage : pipeline.stagesOf(func))
      add(stage, e, parameters.divisionCost);
  }
}

void MullapudiCost::add(const pipeline::Stage &stage, std::size_t entry, double divisionCost) {
  const StageWork work = workOf(m_pipeline, stage, m_group.inlined, divisionCost);
  Member member{&stage, entry, work.operations, {}};
  for (const StageWork::Loads &loads : work.loads) {
    const auto entries = m_plan.entries();
    const auto of = std::ranges::find(entries, loads.producer, &FootprintPlan::Entry::producer);
    if (of != entries.end())
      member.loads.push_back({static_cast<std::size_t>(of - entries.begin()), loads.count});
  }
  m_members.push_back(std::move(member));
}

std::span<const Interval> MullapudiCost::box(const FootprintPlan::Entry &entry) const {
  return std::span(m_boxes).subspan(entry.firstDim, entry.dims);
}

double MullapudiCost::points(const Member &member) const {
  const std::span<const Interval> own = box(m_plan.entries()[member.entry]);
  double points = 1;
  for (const LoopDim &loop : member.stage->loops)
    points *= sideExtent(loop.kind == LoopDim::Kind::Pure ? own[*loop.argument] : loop.range);
  return points;
}

MullapudiRegionCost MullapudiCost::of(std::span<const Interval> region) {
  m_plan.evaluate(region, m_boxes);
  std::ranges::fill(m_loadOps, 0);
  const auto entries = m_plan.entries();
  MullapudiRegionCost cost;
  for (const Member &member : m_members) {
    const double evaluations = points(member);
    cost.arithmetic += evaluations * member.operations;
    for (const Member::Loads &loads : member.loads)
      m_loadOps[loads.entry] += evaluations * loads.count;
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const FuncId func{entries[e].producer.index};
    const bool isMember = isFunc(entries[e]) && std::ranges::binary_search(m_group.members, func);
    if (isMember && func != m_group.output)
      cost.footprintBytes += regionVolume(box(entries[e])) *
                             static_cast<double>(pipeline::elementBytes(m_pipeline.func(func)));
    // "the size of the inputs needed to compute a single tile" (section 4.2.3), but never more than
    // there are loads: the bounds of an index from data are those of the whole table (not in the
    // paper).
    if (!isMember) cost.loads += std::min(regionVolume(box(entries[e])), m_loadOps[e]);
  }
  return cost;
}

std::vector<Interval> MullapudiCost::tileBox(std::span<const std::int64_t> sizes) const {
  std::vector<Interval> tile;
  for (std::size_t d = 0; d < m_region.size(); ++d) {
    const std::int64_t extent = m_region[d].extent();
    const std::int64_t size = std::clamp<std::int64_t>(sizes[d], 1, extent);
    const std::int64_t min = m_region[d].min + (extent + size - 1) / size / 2 * size;
    tile.push_back({min, min + size - 1});
  }
  return tile;
}

double MullapudiCost::tiles(std::span<const std::int64_t> sizes) const {
  double tiles = 1;
  for (std::size_t d = 0; d < m_region.size(); ++d) {
    const std::int64_t extent = m_region[d].extent();
    const std::int64_t size = std::clamp<std::int64_t>(sizes[d], 1, extent);
    tiles *= static_cast<double>((extent + size - 1) / size);
  }
  return tiles;
}

MullapudiRegionCost MullapudiCost::wholeInElements() {
  return wholeInTiles(std::vector<std::int64_t>(m_region.size(), 1));
}

// Lines 15 and 17, with group_loads of lines 2 to 5.
MullapudiRegionCost MullapudiCost::wholeInTiles(std::span<const std::int64_t> sizes) {
  const MullapudiRegionCost tile = of(tileBox(sizes));
  const double tileLoads = tile.loads * tiles(sizes);
  MullapudiRegionCost whole = of(m_region);
  whole.loads = tileLoads;
  whole.footprintBytes = tile.footprintBytes;
  return whole;
}

std::int64_t MullapudiCost::blockThreads(const std::vector<bool> &threads) const {
  std::vector<std::int64_t> block;
  for (const Member &member : m_members) {
    const std::span<const Interval> own = box(m_plan.entries()[member.entry]);
    const auto loops = memberThreadLoops(m_pipeline, m_group.output, threads, *member.stage);
    block.resize(std::max(block.size(), loops.size()), 1);
    for (std::size_t i = 0; i < loops.size(); ++i)
      block[i] = std::max(block[i], own[*member.stage->loops[loops[i]].argument].extent());
  }
  std::int64_t product = 1;
  for (const std::int64_t side : block)
    product = pipeline::saturatingMultiply(product, side);
  return product;
}

// Whether reuse counts what a strip needs of this: neither of the output itself, nor of what is
// inlined and not stored, nor of a single number, which is the same for all strips.
bool MullapudiCost::isProducer(const FootprintPlan::Entry &entry) const {
  if (entry.dims == 0) return false;
  const FuncId func{entry.producer.index};
  return !isFunc(entry) ||
         (func != m_group.output && !std::ranges::binary_search(m_group.inlined, func));
}

std::vector<double> MullapudiCost::reuse() {
  std::vector<double> reuse(m_region.size());
  const auto entries = m_plan.entries();
  for (std::size_t d = 0; d < m_region.size(); ++d) {
    std::vector<Interval> strip = m_region;
    const std::int64_t middle = m_region[d].min + m_region[d].extent() / 2;
    strip[d] = {middle, middle};
    m_plan.evaluate(strip, m_boxes);
    const std::vector<Interval> here = m_boxes;
    strip[d] = {middle + 1, middle + 1};
    m_plan.evaluate(strip, m_boxes);
    for (const FootprintPlan::Entry &entry : entries) {
      if (!isProducer(entry)) continue;
      std::vector<Interval> both;
      for (std::size_t i = 0; i < entry.dims; ++i)
        both.push_back(
            pipeline::intersection(here[entry.firstDim + i], m_boxes[entry.firstDim + i]));
      reuse[d] += regionVolume(both);
    }
  }
  return reuse;
}

} // namespace tessera::search
