// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_kernel.h"

#include "engine/schedule/rules/shared_layout.h"
#include "engine/pipeline/saturating.h"
#include "engine/schedule/bounds/fixed_parts.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <array>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

constexpr std::size_t kDims = 3;
constexpr std::array<std::string_view, kDims> kDimNames{"x", "y", "z"};

// The most bytes of a thread's local memory (CUDA C++ Programming Guide, table Technical
// Specifications). Each array of a thread has its own place in it, however short it lives. kParted:
// where Halide partitions a loop at a boundary, all arrays of the loop exist up to three times.
constexpr std::int64_t kMostFrameBytes = 512 * 1024, kParted = 3;

using Threads = std::array<std::int64_t, kDims>;
// One kernel launch: in each dimension, the number of threads of the stage that needs the most; the
// number of blocks; and the bytes that are stored per block and per thread.
struct Kernel {
  Threads threads{1, 1, 1};
  std::int64_t blocks = 1, lanes = 0; // lanes: of its stages with a lane loop; 0: there is none
  std::int64_t sharedBytes = 0, frameBytes = 0;
  bool isAligned = false; // the region of one of its funcs begins and ends at multiples
};

class KernelRules {
public:
  KernelRules(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept)
      : m_context(context), m_bounds(bounds), m_kept(kept),
        m_kernels(context.pipeline.stages().size()) {}

  void check() {
    for (const FuncId func : m_context.funcs)
      visit(func);
    for (const FuncId func : m_context.funcs)
      for (const StageId stage : m_context.pipeline.stageIdsOf(func))
        checkKernel(stage);
    for (const FuncId func : m_context.funcs) {
      checkHeap(func);
      checkHeapSize(func);
    }
  }

private:
  Kernel &kernelOf(StageId stage) {
    return m_kernels[index(stageOnHost(m_context, m_bounds, stage))];
  }

  FuncId funcOf(StageId stage) const { return m_context.pipeline.stage(stage).func; }

  // For storage per thread in global memory: Halide 21 lets the memory of two such funcs overlap if
  // other stages of the kernel have more threads than the stages whose threads store them.
  void checkHeap(FuncId id) {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    const bool onHeap = bounds.storeDepth == Depth::Thread && plan.storage == Storage::Global;
    if (plan.isInline() || !onHeap) return;
    const StageId around = stageInThreads(m_context, m_bounds, id);
    if (threadsOf(around) != kernelOf(around).threads)
      m_context.refuse(Rule::StorageDepth, id, DecisionKind::Storage,
                       m_context.pipeline.func(id).name +
                           " is stored per thread in global memory, but other stages of its "
                           "kernel have more threads",
                       "registers, stack");
  }

  // For storage in global memory, Halide 21 makes one allocation for all blocks or threads, and
  // counts its elements in 32 bits.
  void checkHeapSize(FuncId id) {
    const FuncPlan &plan = m_context.schedule.plan(id);
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    if (plan.isInline() || bounds.storeDepth == Depth::Host || plan.storage != Storage::Global)
      return;
    const pipeline::Func &func = m_context.pipeline.func(id);
    const Kernel &kernel = kernelOf(func.firstStage);
    std::int64_t elements = pipeline::saturatingMultiply(m_kept.elements(id), kernel.blocks);
    if (bounds.storeDepth == Depth::Thread)
      for (const std::int64_t threads : kernel.threads)
        elements = pipeline::saturatingMultiply(elements, threads);
    if (elements > INT32_MAX)
      m_context.refuse(Rule::LocalMemory, id, DecisionKind::Storage,
                       func.name + " takes " + std::to_string(elements) +
                           " elements of global memory for all blocks of its kernel",
                       "registers, stack, or at most " + std::to_string(INT32_MAX));
  }

  Threads threadsOf(StageId id) const {
    Threads threads{1, 1, 1};
    std::size_t count = 0;
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Thread || nest.loops[l].kind == LoopKind::Lane)
        if (count < kDims) threads[count++] = m_bounds.of(id).loops[l];
    return threads;
  }

  void visit(FuncId id) {
    const FuncPlan &plan = m_context.schedule.plan(id);
    if (plan.isInline()) return;
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    const pipeline::Func &func = m_context.pipeline.func(id);
    for (const StageId stage : m_context.pipeline.stageIdsOf(id))
      visitStage(stage);
    const bool onChip = bounds.storeDepth != Depth::Host && plan.storage != Storage::Global;
    if (!onChip) return;
    if (std::ranges::any_of(plan.bounds, [](const RegionBound &b) { return b.modulus > 1; }))
      kernelOf(func.firstStage).isAligned = true;
    const std::int64_t bytes = m_kept.bytes(id);
    const bool inRegisters = plan.storage == Storage::Registers;
    const bool inThread = bounds.storeDepth == Depth::Thread || inRegisters;
    const auto vague = std::ranges::find_if(bounds.extents, [inRegisters](const Extent extent) {
      return extent == Extent::Whole || (inRegisters && extent > Extent::Adrift);
    });
    if (inThread && vague != bounds.extents.end())
      m_context.refuse(Rule::ConstantExtent, id, DecisionKind::Storage,
                       func.name + " is stored per thread, but its size depends on " +
                           std::string(reason(*vague)),
                       "a compute place further out");
    if (inThread) checkFusedAround(id);
    if (inRegisters && bounds.storeDepth == Depth::Block) return; // divided among its threads
    if (bounds.storeDepth == Depth::Block) {
      for (const StageId stage : m_context.pipeline.stageIdsOf(id))
        checkRemainders(stage);
      std::int64_t &shared = kernelOf(func.firstStage).sharedBytes;
      shared = pipeline::saturatingAdd(
          shared, pipeline::saturatingMultiply(
                      bytes, copiesAround(m_context, m_bounds, plan.storePlace())));
      return;
    }
    std::int64_t &frame = kernelOf(func.firstStage).frameBytes;
    frame = pipeline::saturatingAdd(
        frame,
        pipeline::saturatingMultiply(bytes, copiesAround(m_context, m_bounds, plan.storePlace())));
    if (bytes > m_context.limits.localBytesPerThread)
      m_context.refuse(Rule::LocalMemory, id, DecisionKind::Storage,
                       func.name + " takes " + std::to_string(bytes) + " bytes per thread",
                       "at most " + std::to_string(m_context.limits.localBytesPerThread));
  }

  // If Halide cannot bound the extent of a loop that is fused, the index of that loop, a remainder,
  // may be anything. A block then stores many times what it computes: 64,344 bytes instead of 3,460
  // in one case.
  void checkRemainders(StageId id) const {
    const std::span<const Extent> extents = m_bounds.of(id).extents;
    for (const Axis &axis : m_context.schedule.plan(id).nest.axes)
      for (std::size_t s = 0; s + 1 < axis.fused.size(); ++s) {
        const LoopRef source = axis.fused[s];
        if (source.part > 0 || source.axis >= extents.size() ||
            extents[source.axis] != Extent::Unknown)
          continue;
        m_context.refuse(Rule::SharedMemory, id, DecisionKind::Fusion, 0,
                         "it is kept by a block, but the extent of " +
                             m_context.pipeline.stage(id).loops[source.axis].name +
                             ", which is part of a fused loop, depends on " +
                             std::string(reason(Extent::Unknown)),
                         "this loop as the last of the fused loops");
      }
  }

  // A fused loop may be split by a factor larger than its iterations. Halide then sizes storage per
  // thread by the rows that a whole tile would cover: with loops of 12 and 2 fused (24 iterations),
  // and a factor of 64, 6 rows instead of 2.
  void checkFusedAround(FuncId id) const {
    const Place &place = m_context.schedule.plan(id).compute;
    if (place.kind != Place::Kind::At) return;
    const LoopNest &nest = m_context.schedule.plan(place.stage).nest;
    for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
      const Axis &axis = nest.axes[a];
      if (axis.fused.empty() || axis.splits.empty()) continue;
      const std::int64_t all = axisExtent(nest, a, m_bounds.of(place.stage).dims);
      if (axis.splits.front().factor > all &&
          isPartlyFixed(nest, axis.fused.front(), *nest.find(place.loop)))
        m_context.refuse(Rule::ConstantExtent, id, DecisionKind::Compute,
                         m_context.pipeline.func(id).name +
                             " is stored per thread, but its size is not constant: the fused loop "
                             "around it has " +
                             std::to_string(all) + " iterations and is split by " +
                             std::to_string(axis.splits.front().factor),
                         "a factor of at most " + std::to_string(all) +
                             ", or a compute place further in");
    }
  }

  void visitStage(StageId id) {
    Kernel &kernel = kernelOf(id);
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    std::size_t threads = 0, blocks = 0;
    for (std::size_t l = 0; l < nest.loops.size(); ++l) {
      const std::int64_t extent = m_bounds.of(id).loops[l];
      const LoopKind kind = nest.loops[l].kind;
      if (kind == LoopKind::Block) {
        checkGrid(id, nest.loops[l].ref, blocks++, extent);
        kernel.blocks = pipeline::saturatingMultiply(kernel.blocks, extent);
      }
      if (kind != LoopKind::Thread && kind != LoopKind::Lane) continue;
      if (kind == LoopKind::Lane) kernel.lanes = std::max(kernel.lanes, extent);
      if (threads < kDims)
        kernel.threads[threads] = std::max(kernel.threads[threads], std::max(extent, most(id, l)));
      ++threads;
    }
    if (blocks > kDims) refuseCount(id, Rule::BlockDimensions, "block", blocks);
    if (threads > kDims) refuseCount(id, Rule::ThreadDimensions, "thread", threads);
  }

  // The number of threads that Halide assumes for a thread loop; 1 if it assumes no more than were
  // measured. A launch has as many threads as the largest block may need. If Halide knows nothing
  // about a tile, it takes the number for the whole func.
  std::int64_t most(StageId id, std::size_t loop) const {
    const pipeline::Stage &stage = m_context.pipeline.stage(id);
    const LoopNest &nest = m_context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[loop].ref;
    if (ref.part > 0 || !nest.axes[ref.axis].fused.empty()) return 1;
    if (!isAsTheWhole(id, nest, ref.axis)) return mostOfShifted(id, ref.axis);
    const pipeline::Func &func = m_context.pipeline.func(stage.func);
    std::vector<std::int64_t> whole(m_bounds.of(id).dims.begin(), m_bounds.of(id).dims.end());
    if (const auto arg = stage.loops[ref.axis].argument)
      whole[ref.axis] = func.region[*arg].extent();
    return loopExtent(nest, ref, whole);
  }

  // A tile that is shifted inwards begins anywhere. If its readers divide its place, as y/2 does,
  // Halide launches as many threads as the longest range needs: of rows y/2 - 1 to y/2 + 1 of four
  // values of y, five, even if all tiles begin at multiples of four.
  std::int64_t mostOfShifted(StageId id, std::size_t axis) const {
    const pipeline::Stage &stage = m_context.pipeline.stage(id);
    const FuncPlan &plan = m_context.schedule.plan(stage.func);
    const auto dim = stage.loops[axis].argument;
    const Course &course = m_bounds.of(id).courses[axis];
    const bool isMember = plan.compute.kind == Place::Kind::At && !plan.store;
    if (!dim || !isMember || course.ends != Course::Ends::Together || course.rounded == 0) return 1;
    if (!m_context.schedule.plan(id).nest.axes[axis].splits.empty()) return 1;
    const FuncId root = m_bounds.of(stage.func).kernel;
    const bool shiftsInwards =
        std::ranges::any_of(m_context.schedule.plan(root).stages, [](const StagePlan &one) {
          return std::ranges::any_of(one.nest.axes, [](const Axis &each) {
            return !each.splits.empty() && shifts(each.splits.front().tail);
          });
        });
    return shiftsInwards ? m_bounds.of(stage.func).stored[*dim].extent() : 1;
  }

  bool isAsTheWhole(StageId id, const LoopNest &nest, std::size_t axis) const {
    const Extent extent = m_bounds.of(id).extents[axis];
    if (extent == Extent::Unknown) return true;
    const Course::Ends ends = m_bounds.of(id).courses[axis].ends;
    const bool isCut = extent == Extent::Whole && ends > Course::Ends::Together;
    if (extent != Extent::Loose && extent != Extent::Bounded && !isCut) return false;
    if (ends == Course::Ends::Apart) return true;
    const FuncId func = m_context.pipeline.stage(id).func;
    return !nest.axes[axis].splits.empty() || hasFusedBlocks(m_bounds.of(func).kernel);
  }

  // Whether a kernel has a fused block loop. The index of each loop fused into it is a remainder.
  // If a boundary cuts a range, Halide does not see that both ends of the range move with that
  // remainder.
  bool hasFusedBlocks(FuncId root) const {
    const std::vector<StagePlan> &stages = m_context.schedule.plan(root).stages;
    return std::ranges::any_of(stages, [](const StagePlan &stage) {
      return std::ranges::any_of(stage.nest.loops, [&](const Loop &loop) {
        return loop.kind == LoopKind::Block && !stage.nest.axes[loop.ref.axis].fused.empty();
      });
    });
  }

  void refuseCount(StageId id, Rule rule, const char *kind, std::size_t count) const {
    m_context.refuse(rule, id, DecisionKind::Order, 0,
                     "it has " + std::to_string(count) + " " + kind + " loops",
                     "at most 3; fuse some of them");
  }

  void checkGrid(StageId id, LoopRef ref, std::size_t dim, std::int64_t extent) const {
    if (dim < kDims && extent > m_context.limits.gridDims[dim])
      m_context.refuse(Rule::GridLimit, id, DecisionKind::Factors, ref.axis,
                       "it has " + std::to_string(extent) + " blocks in " +
                           std::string(kDimNames[dim]),
                       "at most " + std::to_string(m_context.limits.gridDims[dim]) +
                           "; larger tiles, or another order of the block loops");
  }

  void checkKernel(StageId id) const {
    const Kernel &kernel = m_kernels[index(id)];
    const auto refuse = [&](Rule rule, const std::string &message, std::string allowed) {
      const pipeline::Stage &stage = m_context.pipeline.stage(id);
      m_context.refuse(rule, {stage.func, stage.index, DecisionKind::Factors, 0},
                       "the kernel of " + m_context.pipeline.stageName(id) + " has " + message,
                       std::move(allowed));
    };
    std::int64_t together = 1;
    for (std::size_t d = 0; d < kDims; ++d) {
      together = pipeline::saturatingMultiply(together, kernel.threads[d]);
      if (kernel.threads[d] > m_context.limits.blockDims[d])
        refuse(Rule::ThreadsPerBlock,
               std::to_string(kernel.threads[d]) + " threads in " + std::string(kDimNames[d]),
               "at most " + std::to_string(m_context.limits.blockDims[d]));
    }
    // Lanes are the threads in x. If another stage has more of them, Halide gives the lane loop
    // that many, and a barrier inside of it waits for threads that never come.
    if (kernel.lanes > 0 && kernel.lanes != kernel.threads[0])
      refuse(Rule::LanesInnermost,
             std::to_string(kernel.lanes) + " lanes, but " + std::to_string(kernel.threads[0]) +
                 " threads in x",
             "as many threads in x in each of its stages as there are lanes");
    // Every stage gets the threads of the widest stage in each dimension.
    if (together > m_context.limits.threadsPerBlock)
      refuse(Rule::ThreadsPerBlock,
             "blocks of " + std::to_string(kernel.threads[0]) + "×" +
                 std::to_string(kernel.threads[1]) + "×" + std::to_string(kernel.threads[2]) +
                 " threads",
             "at most " + std::to_string(m_context.limits.threadsPerBlock) +
                 " in all; the stages of a kernel share their dimensions");
    checkRegisters(id, together);
    if (kernel.frameBytes > kMostFrameBytes / kParted)
      refuse(Rule::LocalMemory,
             "threads that keep " + std::to_string(kernel.frameBytes) +
                 " bytes of local memory, separately for each copy of an unrolled loop",
             "at most " + std::to_string(kMostFrameBytes / kParted) +
                 "; fewer unrolled copies, or compute places further in");
    if (const std::int64_t bytes = sharedBytes(id); bytes > m_context.limits.sharedBytesPerBlock)
      refuse(Rule::SharedMemory,
             "blocks that keep " + std::to_string(bytes) + " bytes in shared memory",
             "at most " + std::to_string(m_context.limits.sharedBytesPerBlock) +
                 "; smaller tiles, or fewer stages in the kernel");
  }

  // The shared memory of a block in bytes. If there is room for all funcs side by side, their sum.
  // Otherwise the size of Halide's layout, in which funcs share memory; an aligned region is not
  // sure to fit there into that of another func.
  std::int64_t sharedBytes(StageId id) const {
    const Kernel &kernel = m_kernels[index(id)];
    const std::int64_t most = kernel.sharedBytes;
    if (most <= m_context.limits.sharedBytesPerBlock || kernel.isAligned) return most;
    return std::min(most, SharedLayout(m_context.schedule, m_bounds, m_kept, id).bytes());
  }

  // Each thread of a kernel may use as many registers as the cap allows. The kernel cannot be
  // launched if a block may use more than the GPU has for one block. Warps are distributed over
  // four partitions, so the warps of a block count as a multiple of four.
  void checkRegisters(StageId id, std::int64_t threads) const {
    const machine::Limits &limits = m_context.limits;
    constexpr std::int64_t kPartitions = 4;
    const std::int64_t together = limits.warpSize * kPartitions;
    const std::int64_t allotted = (threads + together - 1) / together * together;
    const std::int64_t cap = m_context.schedule.settings().registerCap;
    if (allotted == 0 || cap <= limits.registersPerBlock / allotted) return;
    m_context.refuse(Rule::RegisterCap, FuncId{}, DecisionKind::RegisterCap,
                     "the kernel of " + m_context.pipeline.stageName(id) + " has blocks of " +
                         std::to_string(threads) + " threads; with a cap of " +
                         std::to_string(cap) +
                         " registers per thread, a block could need more registers than the GPU "
                         "has for one",
                     "a cap of at most " + std::to_string(limits.registersPerBlock / allotted));
  }

  const RuleContext &m_context;
  const Bounds &m_bounds;
  const KeptStorage &m_kept;
  std::vector<Kernel> m_kernels; // by stage; only those of host stages are used
};

} // namespace

void checkKernels(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept) {
  KernelRules(context, bounds, kept).check();
}

} // namespace tessera::schedule
