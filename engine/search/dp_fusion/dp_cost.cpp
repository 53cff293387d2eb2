// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_cost.h"

#include "engine/cost/load/warp_access.h"
#include "engine/pipeline/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Algorithm 2 of Jangda and Guha 2020; "line n" is one of its lines. Names in comments are those of
// the paper. Where the listing and the text differ, PAPER.md says what was taken.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;

namespace {

constexpr double kRegisterBytes = 4;

} // namespace

std::vector<std::size_t> threadDimsOf(const pipeline::Func &func) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < func.region.size() && dims.size() < Sides().size(); ++d)
    if (func.region[d].extent() > 1) dims.push_back(d);
  return dims;
}

DpCost::DpCost(const schedule::Schedule &schedule, const StageInputs &inputs, const DpGroup &group,
               const machine::Machine &machine, const DpParameters &parameters, TilePer per)
    : m_schedule(schedule), m_inputs(inputs), m_group(group), m_machine(machine),
      m_parameters(parameters), m_per(per) {
  const Pipeline &pipeline = *schedule.pipeline();
  const pipeline::Func &output = pipeline.func(group.output);
  m_threadDims = threadDimsOf(output);
  for (std::size_t i = 0; i < m_threadDims.size(); ++i)
    m_extents[i] = output.region[m_threadDims[i]].extent();
  m_pointsBeside = static_cast<double>(std::max<std::int64_t>(1, pipeline::volume(output.region))) /
                   static_cast<double>(volume(m_extents));
  if (group.members.size() > 1) m_alignments = alignmentsTo(schedule, group.output);
  m_isConstant = group.members.size() == 1 || std::ranges::all_of(group.members, [&](FuncId func) {
                   return m_alignments.contains(func);
                 });
  if (!m_isConstant) return;
  for (const FuncId func : group.members)
    addMember(func);
  if (group.members.size() == 1) return;
  std::vector<FuncId> funcs = group.members;
  for (const FuncId func : group.members) {
    const std::vector<FuncId> inlined = inlinedInto(schedule, func);
    funcs.insert(funcs.end(), inlined.begin(), inlined.end());
  }
  std::ranges::sort(funcs);
  funcs.erase(std::ranges::unique(funcs).begin(), funcs.end());
  m_plan = std::make_unique<const pipeline::FootprintPlan>(pipeline, funcs, group.output);
  m_boxes.resize(m_plan->boxDims());
}

void DpCost::addMember(FuncId func) {
  const StageMeasure &measured = m_inputs.measures.at(func);
  m_registers += measured.registers;     // line 20
  m_secondsPerPoint += measured.seconds; // line 28
  Member member{func};
  member.bytes = static_cast<double>(pipeline::elementBytes(m_schedule.pipeline()->func(func)));
  if (m_group.members.size() == 1) {
    for (std::size_t i = 0; i < m_threadDims.size(); ++i)
      member.loops[i] = m_threadDims[i];
  } else {
    const Alignment &alignment = m_alignments.at(func);
    for (std::size_t d = alignment.size(); d-- > 0;)
      if (const std::size_t thread = threadOf(alignment[d]); thread != kNoLoop)
        member.loops[thread] = d;
  }
  m_members.push_back(std::move(member));
}

// Which of x, y and z a dimension lies along.
std::size_t DpCost::threadOf(const std::optional<AlignedDim> &dim) const {
  if (!dim) return kNoLoop;
  const auto found = std::ranges::find(m_threadDims, dim->output);
  return found == m_threadDims.end() ? kNoLoop
                                     : static_cast<std::size_t>(found - m_threadDims.begin());
}

// What the members need of a tile that is `side` long. As dependence vectors are constants, what is
// needed along x depends on the size along x alone.
void DpCost::measure(std::int64_t side) {
  const auto at = static_cast<std::size_t>(side);
  if (at >= m_shares.size()) m_shares.resize(at + 1);
  if (!m_shares[at].empty()) return;
  const pipeline::Func &output = m_schedule.pipeline()->func(m_group.output);
  pipeline::Box tile;
  for (std::size_t d = 0; d < output.region.size(); ++d) {
    const bool hasThreads = std::ranges::find(m_threadDims, d) != m_threadDims.end();
    const std::int64_t size = hasThreads ? side : 1;
    // From the middle: at the border, boundary conditions need less.
    const std::int64_t middle = output.region[d].empty() ? 0 : output.region[d].extent() / 2;
    const std::int64_t min = output.region[d].min + middle / size * size;
    tile.push_back({min, min + size - 1});
  }
  m_plan->evaluate(tile, m_boxes);
  for (const Member &member : m_members)
    m_shares[at].push_back(shareOf(member, side));
}

// Of the tile that m_boxes are of.
DpCost::Share DpCost::shareOf(const Member &member, std::int64_t side) const {
  constexpr std::size_t kBeside = 3;
  Share share;
  const pipeline::Func &output = m_schedule.pipeline()->func(m_group.output);
  std::vector<bool> isMissing(output.region.size(), true);
  const auto entry = std::ranges::find(m_plan->entries(), Producer::func(member.func),
                                       &pipeline::FootprintPlan::Entry::producer);
  for (std::size_t d = 0; d < entry->dims; ++d) {
    const std::int64_t whole = m_boxes[entry->firstDim + d].extent();
    const std::optional<AlignedDim> &dim = m_alignments.at(member.func)[d];
    const std::size_t thread = threadOf(dim);
    const std::int64_t size = thread == kNoLoop ? 1 : side;
    const std::int64_t own =
        dim ? std::min(whole, ceilingOf(size * dim->scale, dim->divisor)) : whole;
    const std::size_t factor = thread == kNoLoop ? kBeside : thread;
    share.whole[factor] *= static_cast<double>(whole);
    share.own[factor] *= static_cast<double>(own);
    if (dim) isMissing[dim->output] = false;
  }
  // Along a dimension that the member does not have, each tile computes the same again.
  for (std::size_t d = 0; d < isMissing.size(); ++d) {
    const std::int64_t extent = output.region[d].extent();
    if (!isMissing[d] || extent <= 1) continue;
    const std::size_t thread = threadOf(AlignedDim{d});
    const std::int64_t size = thread == kNoLoop ? 1 : std::min(side, extent);
    share.own[thread == kNoLoop ? kBeside : thread] *=
        static_cast<double>(size) / static_cast<double>(extent);
  }
  return share;
}

// Lines 14 to 17 for one point of each stage: GLLOADS_IN_WARP and MIN_GL_Txs.
double DpCost::countTransactions(const Sides &warp, int bytes) const {
  double transactions = 0;
  for (const Member &member : m_members)
    for (const ProducerLoads &loads : m_inputs.loads.at(member.func)) {
      const FuncId from{loads.producer.index};
      if (loads.producer.kind == Producer::Kind::Func &&
          std::ranges::binary_search(m_group.members, from))
        continue;
      cost::WarpAccess access{warp, {0, 0, 0}, loads.bytes, loads.scattered, loads.places, 0};
      for (std::size_t i = 0; i < warp.size(); ++i)
        if (member.loops[i] != kNoLoop && member.loops[i] < loads.strides.size())
          access.strides[i] = loads.strides[member.loops[i]];
      transactions += loads.count * cost::unitsTouched(access, bytes);
    }
  return transactions;
}

double DpCost::transactionsPerPoint(const Sides &warp, int bytes) {
  const auto [known, isNew] = m_transactions.try_emplace({warp, bytes}, 0);
  if (isNew) known->second = countTransactions(warp, bytes);
  return known->second;
}

// Lines 7 to 9 and 33 for one tile.
DpCost::Volumes DpCost::volumesOf(const Sides &sides) {
  Volumes volumes;
  if (m_members.size() == 1) return volumes;
  for (const std::int64_t side : sides)
    measure(side);
  for (std::size_t m = 0; m < m_members.size(); ++m) {
    const Member &member = m_members[m];
    if (member.func == m_group.output) continue;
    const Share &first = m_shares[static_cast<std::size_t>(sides.front())][m];
    double whole = first.whole.back(), own = first.own.back();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Share &share = m_shares[static_cast<std::size_t>(sides[i])][m];
      whole *= share.whole[i];
      own *= share.own[i];
    }
    volumes.bytes += member.bytes * whole;
    volumes.overlapping += whole - own;
  }
  return volumes;
}

// Lines 18 to 24 and 29 to 32.
void DpCost::addUse(DpTerms &terms, double warpsPerTb) const {
  const machine::Multiprocessor &sm = m_machine.sm;
  const auto warpSize = static_cast<double>(m_machine.limits.warpSize);
  const auto maxThPerSm = static_cast<double>(sm.threads);
  const double maxWarpPerSm = maxThPerSm / warpSize;
  const auto shMemPerSm = static_cast<double>(sm.sharedBytes);
  const auto regPerSm = static_cast<double>(sm.registers);
  terms.blocksPerSm = static_cast<double>(sm.blocks); // line 18
  if (terms.sharedBytes > 0)
    terms.blocksPerSm = std::min(terms.blocksPerSm, std::floor(shMemPerSm / terms.sharedBytes));
  const double shMemOcc = std::min(terms.blocksPerSm * warpsPerTb, maxWarpPerSm); // line 19
  const double maxThreads = std::min(regPerSm / std::max(1., terms.registers), maxThPerSm);
  const double regOcc = maxThreads / warpSize;                                      // lines 22, 23
  terms.occupancy = std::min(shMemOcc, regOcc) / maxWarpPerSm;                      // line 24
  terms.unallocatedShared = 1 - terms.sharedBytes * terms.blocksPerSm / shMemPerSm; // 29 and 30
  const double used = terms.registers * maxThPerSm;                                 // line 31
  terms.unusedRegisters = 1 - used * terms.occupancy / regPerSm;                    // line 32
}

// Lines 13 to 17 and 25 to 28.
void DpCost::addTimes(DpTerms &terms, const DpSizes &sizes) {
  const std::int64_t warpSize = m_machine.limits.warpSize;
  const auto tileVol = static_cast<double>(volume(sizes.tile)); // line 27
  const double txs = transactionsPerPoint(warpSizes(sizes.block, warpSize), sizes.transactionBytes);
  terms.transactions = m_parameters.transactionsPerTile > 0 ? txs * tileVol : txs; // line 17
  // Line 25 as its text has it: the bandwidth is divided "equally among all SMs, and then among all
  // warps that can execute in parallel".
  const double warpBw = m_machine.memory.dramBytesPerSecond * static_cast<double>(warpSize) /
                        (static_cast<double>(m_machine.multiprocessors) * m_machine.sm.fp32);
  terms.memorySeconds = sizes.transactionBytes * txs * tileVol / warpBw; // line 26
  terms.computeSeconds = m_secondsPerPoint * tileVol;                    // line 28
}

// Lines 3, 6 and 34.
double DpCost::extraBlocksOf(const DpSizes &sizes, double blocksPerSm) const {
  double totalTb = m_pointsBeside;
  for (std::size_t i = 0; i < m_extents.size(); ++i)
    totalTb *= static_cast<double>(ceilingOf(m_extents[i], sizes.tile[i] * sizes.block[i]));
  const double tbPerSm = totalTb / static_cast<double>(m_machine.multiprocessors);
  return std::fmod(tbPerSm, std::max(1., blocksPerSm));
}

double DpCost::memoryByCompute(const DpTerms &terms) const {
  return terms.computeSeconds > 0 ? terms.memorySeconds / terms.computeSeconds : 0;
}

// Line 35.
double DpCost::weighted(const DpTerms &terms) const {
  return m_parameters.weight(1) * terms.transactions +
         m_parameters.weight(2) * (1 - terms.occupancy) +
         m_parameters.weight(3) * memoryByCompute(terms) +
         m_parameters.weight(4) * terms.unallocatedShared +
         m_parameters.weight(5) * terms.unusedRegisters + m_parameters.weight(6) * terms.overlap +
         m_parameters.weight(7) * terms.extraBlocks;
}

// The terms that are left out are never negative.
double DpCost::leastOf(const DpSizes &sizes) {
  DpTerms terms;
  addTimes(terms, sizes);
  return m_parameters.weight(1) * terms.transactions +
         m_parameters.weight(3) * memoryByCompute(terms);
}

DpTerms DpCost::of(const DpSizes &sizes) {
  DpTerms terms;
  terms.cost = std::numeric_limits<double>::infinity();
  if (!m_isConstant) return terms; // line 2
  const std::int64_t warpSize = m_machine.limits.warpSize;
  const auto threads = static_cast<double>(volume(sizes.block));
  const Sides sides = tileSides(sizes.tile, sizes.block, m_per, warpSize); // line 4
  const Volumes volumes = volumesOf(sides);
  const double shMem =
      volumes.bytes * static_cast<double>(volume(tilesOfBlock(sizes.block, m_per, warpSize)));
  terms.sharedBytes = shMem * (1 - sizes.inRegisters); // line 10
  if (terms.sharedBytes > static_cast<double>(m_machine.limits.sharedBytesPerBlock))
    return terms; // line 12
  // Line 11. A thread has whole registers, and the overlap stays in shared memory (section 5).
  const double regTile = std::floor(shMem * sizes.inRegisters / threads / kRegisterBytes);
  terms.registers = regTile + m_registers; // line 20
  if (terms.registers > m_parameters.maxRegisters && m_members.size() > 1)
    return terms; // line 21; a func alone is compiled with the registers that there are
  addTimes(terms, sizes);
  addUse(terms, std::ceil(threads / static_cast<double>(warpSize)));
  terms.overlap = volumes.overlapping / static_cast<double>(volume(sides)); // line 33
  terms.extraBlocks = extraBlocksOf(sizes, terms.blocksPerSm);
  terms.cost = weighted(terms);
  return terms;
}

} // namespace tessera::search
