// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_cost.h"

#include "engine/machine/occupancy.h"
#include "engine/pipeline/footprint.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <span>

// Sioutas et al. 2020, section 4.2; "line n" is a line of listing 1. "Not in the paper" marks
// decisions where the paper is silent or contradicts itself.
namespace tessera::search {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

constexpr double kMostBytes = 0x1p62; // more than any machine has

bool contains(std::span<const FuncId> funcs, FuncId func) {
  return std::ranges::find(funcs, func) != funcs.end();
}

// One tile of the output and the regions that it needs: line 14, dependence_analysis.
class LocalBounds {
public:
  LocalBounds(const Pipeline &pipeline, const pipeline::FootprintPlan &plan,
              const AutoGpuGroup &group)
      : m_plan(plan), m_boxes(plan.boxDims()) {
    std::vector<Interval> tile;
    const pipeline::Box &region = pipeline.func(group.output).region;
    assert(group.tiles.size() == region.size() && group.threads.size() == region.size());
    for (std::size_t d = 0; d < region.size(); ++d) {
      const std::int64_t extent = std::max<std::int64_t>(1, region[d].extent());
      const std::int64_t size = std::clamp<std::int64_t>(group.tiles[d], 1, extent);
      const std::int64_t tiles = (extent + size - 1) / size;
      // A tile from the middle (not in the paper): at the border, clamping by a boundary condition
      // makes a tile's footprint smaller.
      const std::int64_t min = region[d].min + tiles / 2 * size;
      tile.push_back({min, min + size - 1});
      m_tiles = pipeline::saturatingMultiply(m_tiles, tiles);
    }
    m_plan.evaluate(tile, m_boxes);
  }

  std::int64_t tiles() const { return m_tiles; }
  std::span<const pipeline::FootprintPlan::Entry> entries() const { return m_plan.entries(); }

  std::span<const Interval> box(const pipeline::FootprintPlan::Entry &entry) const {
    return std::span(m_boxes).subspan(entry.firstDim, entry.dims);
  }
  std::span<const Interval> box(FuncId func) const {
    for (const pipeline::FootprintPlan::Entry &entry : entries())
      if (entry.producer == Producer::func(func)) return box(entry);
    return {};
  }

private:
  const pipeline::FootprintPlan &m_plan;
  std::vector<Interval> m_boxes;
  std::int64_t m_tiles = 1;
};

// An input without estimates may be read anywhere, so its extent is infinite.
std::int64_t extentOf(const Interval &side) {
  return side.empty() || side.bounded() ? side.extent() : pipeline::kPlusInfinity;
}

double volumeOf(std::span<const Interval> box) {
  double points = 1;
  for (const Interval &side : box)
    points *= static_cast<double>(extentOf(side));
  return points;
}

// Evaluations of a stage in one tile.
double pointsOf(const Stage &stage, std::span<const Interval> box) {
  double points = 1;
  for (const LoopDim &loop : stage.loops)
    points *= static_cast<double>(
        extentOf(loop.kind == LoopDim::Kind::Pure ? box[*loop.argument] : loop.range));
  return points;
}

class Evaluation {
public:
  Evaluation(const Pipeline &pipeline, const AutoGpuWork &work, const AutoGpuGroup &group,
             const machine::Machine &machine, const AutoGpuParameters &parameters)
      : m_pipeline(pipeline), m_work(work), m_group(group), m_machine(machine),
        m_parameters(parameters), m_bounds(pipeline, work.plan(), group) {}

  AutoGpuCost cost(AutoGpuPhase phase) {
    m_cost.tiles = m_bounds.tiles();
    startBlock();
    countWork();
    addLoads();
    for (AutoGpuStage &stage : m_cost.stages)
      addStage(stage);
    // Line 34 of the paper's listing 1 takes the largest number of threads of all stages. Here, as
    // in the paper's text and in a launch, it is the product of the block's dimensions. That is
    // larger if two stages are largest in different dimensions.
    for (const std::int64_t side : m_cost.threadBlock)
      m_cost.threads = pipeline::saturatingMultiply(m_cost.threads, side);
    // The text of the paper's section 4.2 multiplies by the number of tiles; listing 1 leaves it
    // out.
    m_cost.memory *= static_cast<double>(m_cost.tiles);
    m_cost.stores *= static_cast<double>(m_cost.tiles);
    m_cost.arithmetic *= static_cast<double>(m_cost.tiles);
    m_cost.whyNot = whyNot(phase);
    m_cost.valid = m_cost.whyNot.empty();
    m_cost.total = m_cost.valid ? total(phase) : std::numeric_limits<double>::infinity();
    return m_cost;
  }

  // The cost of all tiles without what depends on threads. Meant for tiles of one point.
  double untiledCost() {
    countWork();
    double cost = 0;
    for (const AutoGpuStage &stage : m_cost.stages)
      cost += stage.operations;
    const bool storesCount = m_parameters.stores == AutoGpuStores::Counted;
    for (std::size_t e = 0; e < m_bounds.entries().size(); ++e)
      cost += (m_loaded[e] + (storesCount ? m_firstStores[e] + m_laterStores[e] : 0)) *
              untiledPrice(m_bounds.entries()[e].producer);
    return cost * static_cast<double>(m_bounds.tiles());
  }

private:
  // Whether a stage accesses a buffer of another func, or, in an update, that of its own func.
  enum class Access : std::uint8_t { OfOthers, OfItsOwn };

  // Lines 9 to 12 and 16 to 18 of listing 1. The group's active threads start at
  // MAX_THREADS_PER_BLOCK. Later lines only lower this number, so it never exceeds that limit, even
  // if a multiprocessor holds more than one full block.
  void startBlock() {
    for (std::size_t d = 0; d < m_group.threads.size(); ++d)
      m_cost.threadBlock.push_back(m_group.threads[d] ? extentOf(m_bounds.box(m_group.output)[d])
                                                      : 1);
    m_cost.occupancy = 1;
    m_cost.activeThreads = static_cast<double>(m_machine.limits.threadsPerBlock);
    m_cost.activeSms = static_cast<double>(m_machine.multiprocessors);
  }

  // Counts the operations of each stage, and the bytes that all stages load from each buffer.
  void countWork() {
    const std::size_t entries = m_bounds.entries().size();
    m_loaded.assign(entries, 0);
    m_firstStores.assign(entries, 0);
    m_laterStores.assign(entries, 0);
    for (const AutoGpuWork::StageWork &work : m_work.stages()) {
      const Stage &stage = m_pipeline.stage(work.stage);
      const double points = pointsOf(stage, m_bounds.box(m_bounds.entries()[work.entry]));
      m_cost.stages.push_back({.stage = work.stage, .operations = points * work.operations});
      for (const AutoGpuWork::Load &load : work.loads)
        m_loaded[load.entry] += points * load.bytes;
      (stage.index == 0 ? m_firstStores : m_laterStores)[work.entry] +=
          points * static_cast<double>(pipeline::elementBytes(m_pipeline.func(stage.func)));
    }
  }

  // What a byte costs where no loads share a transaction.
  double untiledPrice(Producer producer) const {
    const auto element = static_cast<double>(elementBytes(producer));
    if (m_parameters.loads == AutoGpuReading::Paper) return m_parameters.balance / element;
    return globalPrice(volumeOf(m_pipeline.producerRegion(producer)) * element);
  }

  // Lines 3 to 7 of the paper's listing 1: the memory cost of all loads, and the shared memory.
  void addLoads() {
    for (std::size_t e = 0; e < m_bounds.entries().size(); ++e) {
      const pipeline::FootprintPlan::Entry &entry = m_bounds.entries()[e];
      const bool isFunc = entry.producer.kind == Producer::Kind::Func;
      const FuncId func{entry.producer.index};
      const bool shared = isFunc && func != m_group.output && contains(m_group.members, func);
      // Line 7 of listing 1 adds up the buffers of "such stages". These are buffers in shared
      // memory; figure 3 shows that the output is not among them.
      if (shared) {
        const double bytes = volumeOf(m_bounds.box(entry)) *
                             static_cast<double>(pipeline::elementBytes(m_pipeline.func(func)));
        m_footprint += bytes;
      }
      if (m_loaded[e] > 0) addLoads({entry.producer, shared, m_loaded[e]}, entry);
      if (m_parameters.stores == AutoGpuStores::Counted) {
        addStores({entry.producer, shared, m_firstStores[e]}, entry, Access::OfOthers);
        addStores({entry.producer, shared, m_laterStores[e]}, entry, Access::OfItsOwn);
      }
    }
    m_cost.footprintBytes = static_cast<std::int64_t>(std::min(m_footprint, kMostBytes));
  }

  // Stores cost as much as loads.
  void addStores(const AutoGpuLoads &stores, const pipeline::FootprintPlan::Entry &entry,
                 Access access) {
    if (stores.bytes == 0) return;
    const double cost = priced(stores, entry, access).cost;
    m_cost.stores += cost;
    m_cost.memory += cost;
  }

  void addLoads(const AutoGpuLoads &loads, const pipeline::FootprintPlan::Entry &entry) {
    const bool isOwn = loads.producer == Producer::func(m_group.output);
    m_cost.loads.push_back(priced(loads, entry, isOwn ? Access::OfItsOwn : Access::OfOthers));
    m_cost.memory += m_cost.loads.back().cost;
  }

  AutoGpuLoads priced(AutoGpuLoads loads, const pipeline::FootprintPlan::Entry &entry,
                      Access access) const {
    // Line 4 of listing 1. Not in the paper: if a group reads its own output, in a reduction, these
    // reads go to global memory and count like those of an input.
    if (m_parameters.coalescing == AutoGpuReading::Artifact)
      loads.consecutiveBytes = inFirstDimension(entry.producer);
    else
      loads.consecutiveBytes = consecutive(entry);
    if (loads.shared) loads.consecutiveBytes = m_parameters.transactionBytes;
    loads.cost = m_parameters.loads == AutoGpuReading::Artifact
                     ? artifactPrice(loads, entry, access)
                     : priceByTransactions(loads);
    return loads;
  }

  // Line 6 of listing 1 adds the cost of loads from shared memory without dividing it by the
  // consecutive bytes. The paper's text only calls it "similar" to the cost of global memory. If
  // both cost the same, merging two groups would never pay. So, unlike the paper, a transaction
  // with shared memory is cheaper here by the ratio of the latencies, and all its bytes count as
  // used, because banks need no adjacent addresses.
  double priceByTransactions(const AutoGpuLoads &loads) const {
    const machine::Memory &memory = m_machine.memory;
    const double price = loads.shared
                             ? m_parameters.balance * memory.sharedLatency / memory.dramLatency
                             : m_parameters.balance;
    return loads.bytes * price / loads.consecutiveBytes;
  }

  // What the authors' code has for lines 4 and 6: a byte costs the more, the larger the region that
  // it comes from. The footprint counts as loaded once from the whole buffer, and each load as from
  // the footprint.
  double artifactPrice(const AutoGpuLoads &loads, const pipeline::FootprintPlan::Entry &entry,
                       Access access) const {
    const auto element = static_cast<double>(elementBytes(entry.producer));
    double footprint = volumeOf(m_bounds.box(entry)) * element;
    if (loads.shared) return loads.bytes * sharedPrice(footprint);
    // An input without estimates may be read anywhere. No more is read of it than is loaded.
    if (footprint > kMostBytes) footprint = loads.bytes;
    const double whole = volumeOf(m_pipeline.producerRegion(entry.producer)) * element;
    const double cost = footprint * globalPrice(whole) + loads.bytes * globalPrice(footprint);
    // What an update loads and stores of its own func is not coalesced there.
    if (access == Access::OfItsOwn) return cost;
    return cost / std::max(1., loads.consecutiveBytes / element);
  }

  // What a byte costs of a region with so many bytes.
  double sharedPrice(double bytes) const {
    constexpr double kSharedBytes = 48 * 1024;
    return std::min(1 + bytes * m_parameters.sharedCost / kSharedBytes, m_parameters.sharedCost);
  }
  double globalPrice(double bytes) const {
    constexpr double kCacheBytes = 64 * 1024;
    return std::min(1 + bytes * m_parameters.l2Cost / kCacheBytes, m_parameters.l2Cost);
  }

  std::int64_t elementBytes(Producer producer) const {
    return producer.kind == Producer::Kind::Func
               ? pipeline::elementBytes(m_pipeline.func(FuncId{producer.index}))
               : m_pipeline.inputs()[producer.index].type.bytes();
  }

  // Where the authors' code coalesces loads: along the first dimension of the output's tile, up to
  // 64 bytes.
  double inFirstDimension(Producer producer) const {
    constexpr std::int64_t kMostCoalesced = 64;
    const std::int64_t element = elementBytes(producer);
    const auto box = m_bounds.box(m_group.output);
    const std::int64_t tile = box.empty() ? 1 : std::max<std::int64_t>(1, extentOf(box.front()));
    return static_cast<double>(std::min(tile, std::max<std::int64_t>(1, kMostCoalesced / element)) *
                               element);
  }

  // Contiguous bytes of a buffer that one tile reads, up to the size of a transaction. Not in the
  // paper: if the tile reads a dimension completely, contiguous bytes continue in the next
  // dimension.
  double consecutive(const pipeline::FootprintPlan::Entry &entry) const {
    const pipeline::Box region = m_pipeline.producerRegion(entry.producer);
    double bytes = entry.producer.kind == Producer::Kind::Func
                       ? m_pipeline.func(FuncId{entry.producer.index}).types.front().bytes()
                       : m_pipeline.inputs()[entry.producer.index].type.bytes();
    const std::span<const Interval> box = m_bounds.box(entry);
    for (std::size_t d = 0; d < box.size(); ++d) {
      bytes *= static_cast<double>(std::max<std::int64_t>(1, extentOf(box[d])));
      if (!box[d].contains(region[d])) break;
    }
    return std::min(bytes, m_parameters.transactionBytes);
  }

  // Lines 20 to 34 of listing 1: threads, occupancy and arithmetic cost of one stage.
  void addStage(AutoGpuStage &stage) {
    stage.threads = threadsOf(m_pipeline.stage(stage.stage));
    // Line 26 of listing 1. The paper's text has the formula N_regs ≤ min(MAX_REGS_PER_THREAD,
    // TOTAL_REGS_PER_SM / N_threads).
    const std::int64_t registers =
        std::min({m_parameters.registers, m_machine.limits.registersPerThread,
                  std::max<std::int64_t>(1, m_machine.sm.registers / stage.threads)});
    const std::int64_t threads = std::min(stage.threads, m_machine.limits.threadsPerBlock + 1);
    const machine::Occupancy occupancy =
        machine::occupancy(m_machine, {threads, registers, m_cost.footprintBytes});
    stage.occupancy = occupancy.fraction;
    // The paper does not define the active threads. Here they are the threads that compute this
    // stage and that one multiprocessor holds. Each block of a grid occupies a multiprocessor of
    // its own until all are occupied.
    stage.activeThreads = static_cast<double>(occupancy.blocks * stage.threads);
    stage.activeSms = activeSms(static_cast<double>(occupancy.blocks));
    // Line 30 of listing 1. A stage that cannot be launched gets no cost here; whyNot() rejects it.
    if (occupancy.blocks > 0)
      stage.cost = stage.operations / (stage.occupancy * stage.activeThreads);
    m_cost.arithmetic += stage.cost;
    m_cost.occupancy = std::min(m_cost.occupancy, stage.occupancy); // line 31 of listing 1
    m_cost.activeThreads = std::min(m_cost.activeThreads, stage.activeThreads); // line 32
    m_cost.activeSms = std::min(m_cost.activeSms, stage.activeSms);             // line 33
  }

  // Line 26 of listing 1, by the number of blocks that one multiprocessor holds.
  double activeSms(double resident) const {
    const auto all = static_cast<double>(m_machine.multiprocessors);
    const auto blocks = static_cast<double>(m_cost.tiles);
    if (resident == 0) return 0;
    if (m_parameters.activeSms == AutoGpuReading::Paper) return std::min(all, blocks);
    return std::min(all, std::min(blocks / resident, resident) * all);
  }

  // Line 28. The authors' code asks for more of groups of one or two members.
  double occupancyThreshold() const {
    constexpr std::size_t kSmallGroup = 2;
    return m_group.members.size() > kSmallGroup
               ? m_parameters.occupancyThreshold
               : std::max(m_parameters.occupancyThreshold, m_parameters.smallGroupOccupancy);
  }

  // Lines 20 to 25 of listing 1: the threads of a stage are the points of its tile along the
  // dimensions that have threads.
  std::int64_t threadsOf(const Stage &stage) {
    const std::span<const Interval> box = m_bounds.box(stage.func);
    std::int64_t threads = 1;
    for (const LoopDim &loop : stage.loops) {
      if (loop.kind != LoopDim::Kind::Pure) continue;
      const std::optional<std::size_t> dim =
          autoGpuThreadDim(m_pipeline, m_group, stage.func, *loop.argument);
      if (!dim) continue;
      const std::int64_t extent = std::max<std::int64_t>(1, extentOf(box[*loop.argument]));
      threads = pipeline::saturatingMultiply(threads, extent);
      m_cost.threadBlock[*dim] = std::max(m_cost.threadBlock[*dim], extent);
    }
    return threads;
  }

  // Lines 28, 36 and 37 of listing 1. Beyond a limit the occupancy is 0, too. So limits are checked
  // first, and the reason names the limit.
  std::string_view whyNot(AutoGpuPhase phase) const {
    const machine::Limits &limits = m_machine.limits;
    if (m_cost.threads > limits.threadsPerBlock) return "more threads than a block may have";
    if (m_cost.footprintBytes > limits.sharedBytesPerBlock)
      return "more shared memory than a block may have";
    if (const std::string_view reason = blockReason(); !reason.empty()) return reason;
    if (m_cost.occupancy < occupancyThreshold()) return "occupancy below the threshold";
    if (std::ranges::any_of(m_cost.stages, [&](const AutoGpuStage &stage) {
          return stage.threads < m_parameters.leastThreads;
        }))
      return "fewer threads of a func than asked for";
    if (m_cost.activeSms < static_cast<double>(m_machine.multiprocessors))
      return "fewer blocks than multiprocessors";
    // Line 36 of listing 1 always asks for whole warps. By the paper's text, only the final tiles
    // need whole warps. While grouping, tiles are powers of two. With the border of a 3×3 stencil,
    // no product of two sizes is a multiple of 32, so such stages would never be merged.
    if (phase == AutoGpuPhase::FinalTiles && m_cost.threads % limits.warpSize != 0)
      return "the threads are not a multiple of a warp";
    return {};
  }

  // Limits of a launch that the listing does not check (not in the paper).
  std::string_view blockReason() const {
    std::size_t used = 0;
    for (std::size_t d = 0; d < m_cost.threadBlock.size(); ++d) {
      if (!m_group.threads[d]) continue;
      if (used == m_machine.limits.blockDims.size()) return "more than three dimensions of threads";
      if (m_cost.threadBlock[d] > m_machine.limits.blockDims[used++])
        return "more threads along a dimension than a block may have";
    }
    return {};
  }

  // Line 39 of listing 1. By the paper's text, only for final tiles the memory cost is divided by
  // the occupancy and the active threads; while grouping, the cost is the plain sum.
  double total(AutoGpuPhase phase) const {
    if (phase == AutoGpuPhase::Grouping) return m_cost.arithmetic + m_cost.memory;
    return m_cost.arithmetic + m_cost.memory / (m_cost.occupancy * m_cost.activeThreads);
  }

  const Pipeline &m_pipeline;
  const AutoGpuWork &m_work;
  const AutoGpuGroup &m_group;
  const machine::Machine &m_machine;
  const AutoGpuParameters &m_parameters;
  LocalBounds m_bounds;
  std::vector<double> m_loaded, m_firstStores, m_laterStores; // bytes in a tile, by entry
  double m_footprint = 0;
  AutoGpuCost m_cost;
};

} // namespace

// Line 21 of listing 1 intersects "stage.dims and loop_threads". Here dimensions are compared by
// name, as everywhere in Halide. Not in the paper: the dimensions of a member without any of these
// names are compared by position.
std::optional<std::size_t> autoGpuThreadDim(const Pipeline &pipeline, const AutoGpuGroup &group,
                                            FuncId member, std::size_t argument) {
  const std::vector<std::string> &own = pipeline.func(member).args;
  const std::vector<std::string> &output = pipeline.func(group.output).args;
  bool named = false;
  for (std::size_t d = 0; d < output.size(); ++d) {
    if (!group.threads[d]) continue;
    if (own[argument] == output[d]) return d;
    named = named || std::ranges::find(own, output[d]) != own.end();
  }
  if (named || argument >= output.size() || !group.threads[argument]) return std::nullopt;
  return argument;
}

AutoGpuWork autoGpuWork(const Pipeline &pipeline, const AutoGpuGroup &group) {
  return {pipeline, group.output, group.members, group.inlined};
}

double autoGpuUntiledCost(const Pipeline &pipeline, AutoGpuGroup group,
                          const machine::Machine &machine, const AutoGpuParameters &parameters) {
  group.tiles.assign(pipeline.func(group.output).args.size(), 1);
  group.threads.assign(group.tiles.size(), false);
  const AutoGpuWork work = autoGpuWork(pipeline, group);
  return Evaluation(pipeline, work, group, machine, parameters).untiledCost();
}

AutoGpuCost autoGpuCost(const Pipeline &pipeline, const AutoGpuWork &work,
                        const AutoGpuGroup &group, const machine::Machine &machine,
                        AutoGpuPhase phase, const AutoGpuParameters &parameters) {
  return Evaluation(pipeline, work, group, machine, parameters).cost(phase);
}

AutoGpuCost autoGpuCost(const Pipeline &pipeline, const AutoGpuGroup &group,
                        const machine::Machine &machine, AutoGpuPhase phase,
                        const AutoGpuParameters &parameters) {
  return autoGpuCost(pipeline, autoGpuWork(pipeline, group), group, machine, phase, parameters);
}

} // namespace tessera::search
