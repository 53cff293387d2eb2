// SPDX-License-Identifier: MIT
#include "engine/cost/load/kernel_runs.h"

#include "engine/cost/load/layout.h"
#include "engine/cost/load/memory_space_finder.h"
#include "engine/cost/load/run_facts.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::cost {

using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;
using schedule::Storage;

namespace {

using Dims = std::span<const std::int64_t>;

// With at most this many blocks along a dimension, every block touches a boundary.
constexpr std::int64_t kFewBlocks = 2;

bool isBody(LoopKind kind) { return kind == LoopKind::Unrolled || kind == LoopKind::Vectorized; }

// For a thread loop, the number of threads that have something to compute. For any other loop, the
// number of iterations.
std::int64_t activeOf(const FlatLoop &loop, Dims dims) {
  if (!isThread(loop.kind)) return loop.iterations;
  return std::clamp<std::int64_t>(divideUp(dims[loop.dim], loop.step), 1, loop.iterations);
}

// Iterations of the loop at `place` and of those around it in the same kernel.
double turnsFrom(const Run &run, std::size_t place) {
  double turns = 1;
  for (const FlatLoop &loop : run.loops)
    if (loop.loop >= place && run.isInThread(loop)) turns *= static_cast<double>(loop.iterations);
  return turns;
}

// Iterations of the loops from `first` outwards. All of these run on the host.
double launchesFrom(const Run &run, std::size_t first) {
  double launches = 1;
  for (const FlatLoop &loop : run.loops)
    if (loop.loop >= first) launches *= static_cast<double>(loop.iterations);
  return launches;
}

double blocksOf(const Run &run) {
  double blocks = 1;
  for (const FlatLoop &loop : run.loops)
    if (loop.kind == LoopKind::Block) blocks *= static_cast<double>(loop.iterations);
  return blocks;
}

// The fraction of the iterations that the guards of splits do not skip.
double usefulPart(const Run &run, Dims dims) {
  double part = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    double covers = 1;
    bool isWhole = true; // true: each guard skips either all threads of a warp or none
    for (const FlatLoop &loop : run.loops)
      if (loop.dim == d) {
        covers *= static_cast<double>(activeOf(loop, dims));
        isWhole = isWhole && loop.kind != LoopKind::Block &&
                  (!isThread(loop.kind) || run.threadSteps[0][d] == 0);
      }
    if (isWhole) part *= std::min(1.0, static_cast<double>(dims[d]) / covers);
  }
  return part;
}

} // namespace

void Run::overBody(std::vector<Interval> &over) const {
  over = base;
  for (const FlatLoop &loop : body())
    over[loop.dim].max += loop.reach();
}

void Run::shift(std::span<const Interval> over, std::size_t blockDim, double threadsFurther,
                std::vector<Interval> &moved) const {
  moved.assign(over.begin(), over.end());
  for (std::size_t l = 0; l < moved.size(); ++l) {
    const std::int64_t by = std::llround(threadSteps[blockDim][l] * threadsFurther);
    moved[l].min += by;
    moved[l].max += by;
  }
}

// Adds consumers before producers, because a func that is computed in a consumer's loops depends on
// that consumer's run.
class KernelRuns::Builder {
public:
  Builder(KernelRuns &runs, const Schedule &schedule, const Bounds &bounds)
      : m_runs(runs), m_schedule(schedule), m_bounds(bounds), m_pipeline(*schedule.pipeline()) {}

  // Renews a stage that was added before and now has other loops. Returns whether the size of its
  // block changed.
  bool change(StageId stage) {
    Run &run = m_runs.m_runs[m_runs.m_slots[index(stage)]];
    fill(run, m_pipeline.stage(stage).func);
    Kernel &kernel = m_runs.m_kernels[run.kernel];
    const auto before = std::exchange(kernel.launch.blockThreads, {1, 1, 1});
    for (const StageId of : kernel.stages)
      widen(kernel.launch, m_runs.of(of));
    return kernel.launch.blockThreads != before;
  }

  void add(FuncId id) {
    const pipeline::Func &func = m_pipeline.func(id);
    if (m_schedule.plan(id).isInline()) return;
    if (func.externCall) return addExtern(id, func.firstStage);
    for (std::uint32_t s = func.stageCount; s-- > 0;)
      add(id, static_cast<StageId>(index(func.firstStage) + s));
    addShared(id);
  }

private:
  // An extern stage is no kernel. Only where others are computed in its loops, on the host, it has
  // a run, which says how often these are launched.
  void addExtern(FuncId id, StageId stage) {
    const bool isAround = std::ranges::any_of(m_runs.m_funcs, [&](const FuncId other) {
      const Place &place = m_schedule.plan(other).compute;
      return place.kind == Place::Kind::At && place.stage == stage;
    });
    if (!isAround) return;
    Run &run = newRun(stage);
    const Run *around = fill(run, id);
    run.kernel = kNone;
    run.launches = launchesOf(run, around);
  }

  void add(FuncId id, StageId stage) {
    Run &run = newRun(stage);
    const Run *around = fill(run, id);
    if (run.depth == Depth::Host || around->kernel == kNone)
      startKernel(run, around);
    else
      run.kernel = around->kernel;
    Kernel &kernel = m_runs.m_kernels[run.kernel];
    widen(kernel.launch, run);
    kernel.stages.push_back(stage);
  }

  // Sets the members of the run that newRun() and add() do not set. Returns the run in whose loops
  // this one is computed, or null.
  const Run *fill(Run &run, FuncId id) {
    const Dims dims = m_bounds.of(run.stage).dims;
    const Place &place = m_schedule.plan(id).compute;
    const Run *around = place.kind == Place::Kind::At ? &m_runs.of(place.stage) : nullptr;
    setLoops(run, id);
    if (run.depth == Depth::Thread)
      takeThreads(run, *around, id);
    else
      ownThreads(run, dims);
    run.times = run.depth == Depth::Host
                    ? 1
                    : around->times * turnsFrom(*around, loopOf(m_schedule, place));
    run.bodies = run.times * usefulPart(run, dims);
    for (const FlatLoop &loop : run.turns())
      run.bodies *= static_cast<double>(loop.iterations);
    return around;
  }

  // Reuses the memory of an earlier run.
  Run &newRun(StageId stage) {
    m_runs.m_slots[index(stage)] = m_next;
    Run &run = m_runs.m_runs[m_next++];
    run.stage = stage;
    run.reads = &m_runs.m_reads.of(m_schedule, stage);
    run.launches = 1;
    return run;
  }

  void setLoops(Run &run, FuncId id) const {
    const LoopNest &nest = m_schedule.plan(run.stage).nest;
    run.depth = m_bounds.of(id).depth;
    flatten(nest, m_bounds.of(run.stage).dims, run.loops);
    run.hostLoop = SIZE_MAX;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Block) run.hostLoop = l + 1;
    putThreadsAroundUnrolled(run);
    run.bodyLoops = static_cast<std::size_t>(
        std::ranges::find_if_not(run.loops, isBody, &FlatLoop::kind) - run.loops.begin());
    unrollShort(run, id);
    setNumbers(run);
    setBase(run, m_bounds.of(id));
    run.threads = run.active = {1, 1, 1};
    for (std::vector<double> &steps : run.threadSteps)
      steps.assign(run.base.size(), 0.0);
  }

  // Halide makes the thread loops of a kernel the outermost loops of its blocks, wherever they are
  // in the nest. So a loop that is unrolled around thread loops is unrolled in each thread. Its
  // copies stay apart where each is behind a condition of its own.
  void putThreadsAroundUnrolled(Run &run) const {
    const auto first = std::ranges::find_if_not(run.loops, isBody, &FlatLoop::kind);
    const auto end = std::find_if(first, run.loops.end(), [&](const FlatLoop &loop) {
      return (!isThread(loop.kind) && !isBody(loop.kind)) || isGuarded(run, loop);
    });
    if (!std::ranges::is_partitioned(first, end, isBody, &FlatLoop::kind))
      std::ranges::stable_partition(first, end, isBody, &FlatLoop::kind);
  }

  // Whether iterations of the loop are behind a condition. Halide drops the condition where it
  // knows that the split leaves no rest, as for tiles and reductions of constant length.
  bool isGuarded(const Run &run, const FlatLoop &loop) const {
    const LoopNest &nest = m_schedule.plan(run.stage).nest;
    const std::uint16_t axis = nest.loops[loop.loop].ref.axis;
    if (nest.axes[axis].splits.empty()) return false;
    const Stage &stage = m_pipeline.stage(run.stage);
    const bool isReduction = stage.loops[loop.dim].kind == pipeline::LoopDim::Kind::Reduction;
    const schedule::Tail tail =
        schedule::performed(nest.axes[axis].splits.front().tail, stage.index > 0, isReduction);
    if (!schedule::guards(tail)) return false;
    const bool isKnown = isReduction ? stage.loops[loop.dim].fixed : run.depth != Depth::Host;
    return !isKnown || schedule::isRagged(nest, axis, m_bounds.of(run.stage).dims);
  }

  // LLVM unrolls loops of constant length if all their copies together are short. Thread loops are
  // no obstacle, since Halide makes them the outermost ones, unless the copies are behind
  // conditions then. Sums are left out, because the waits of their steps are counted for each
  // iteration.
  void unrollShort(Run &run, FuncId id) const {
    constexpr double kShort = 300; // instructions: LLVM's threshold for NVPTX
    if (std::ranges::any_of(run.reads->sources(), &Reads::Source::self)) return;
    double copies = run.reads->instructions() * pointsOf(run);
    bool isAroundThreads = false;
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l) {
      FlatLoop &loop = run.loops[l];
      if (isThread(loop.kind)) {
        isAroundThreads = true;
        continue;
      }
      copies *= static_cast<double>(loop.iterations);
      if (copies > kShort || loop.kind != LoopKind::Serial || !run.isInThread(loop) ||
          !isConstant(run, id, loop) || surroundsOthers(run, loop) ||
          (isAroundThreads && isGuarded(run, loop)))
        return;
      loop.kind = LoopKind::Unrolled;
      const auto at = run.loops.begin() + static_cast<std::ptrdiff_t>(l);
      std::rotate(run.loops.begin() + static_cast<std::ptrdiff_t>(run.bodyLoops++), at, at + 1);
    }
  }

  bool isConstant(const Run &run, FuncId id, const FlatLoop &loop) const {
    const LoopNest &nest = m_schedule.plan(run.stage).nest;
    const schedule::LoopRef ref = nest.loops[loop.loop].ref;
    if (!nest.axes[ref.axis].fused.empty()) return false;
    if (ref.part > 0) return true;
    const Stage &stage = m_pipeline.stage(run.stage);
    const pipeline::LoopDim &dim = stage.loops[loop.dim];
    if (dim.kind == pipeline::LoopDim::Kind::Reduction) return dim.fixed;
    return dim.argument && m_bounds.of(id).extents[*dim.argument] <= schedule::Extent::Fixed;
  }

  bool surroundsOthers(const Run &run, const FlatLoop &loop) const {
    return std::ranges::any_of(m_runs.m_funcs, [&](const FuncId other) {
      const Place &place = m_schedule.plan(other).compute;
      return place.kind == Place::Kind::At && place.stage == run.stage &&
             loopOf(m_schedule, place) <= loop.loop;
    });
  }

  // Finds the dimensions whose bounds are constants and whose loops are completely unrolled into
  // the body, so that the index is a constant in each copy.
  void setNumbers(Run &run) const {
    const Stage &stage = m_pipeline.stage(run.stage);
    const Dims dims = m_bounds.of(run.stage).dims;
    run.numbers = 0;
    for (std::uint32_t l = 0; l < stage.loops.size() && l < 32; ++l)
      if (isKnown(stage, l, dims[l])) run.numbers |= std::uint32_t{1} << l;
    for (std::size_t l = 0; l < run.loops.size(); ++l) {
      const FlatLoop &loop = run.loops[l];
      if ((l >= run.bodyLoops || loop.kind != LoopKind::Unrolled) && loop.dim < 32)
        run.numbers &= ~(std::uint32_t{1} << loop.dim);
    }
  }

  // Whether Halide knows the loop's bounds at compile time.
  bool isKnown(const Stage &stage, std::size_t l, std::int64_t extent) const {
    const pipeline::LoopDim &loop = stage.loops[l];
    if (loop.kind == pipeline::LoopDim::Kind::Reduction) return loop.fixed;
    return m_pipeline.func(stage.func).isBounded(loop.name) &&
           isWhole(m_pipeline, stage, l, extent);
  }

  // Sets Run::base to the first iteration in the middle of the whole region, where no boundary is
  // near: in the middle block, and in the block's middle thread if one or two blocks cover the
  // whole dimension.
  void setBase(Run &run, const Bounds::FuncBounds &func) const {
    const Stage &stage = m_pipeline.stage(run.stage);
    const Dims dims = m_bounds.of(run.stage).dims;
    run.base.clear();
    run.isInMiddleThread = false;
    for (std::size_t l = 0; l < stage.loops.size(); ++l) {
      const auto argument = stage.loops[l].argument;
      std::int64_t start = argument ? func.computed[*argument].min : stage.loops[l].range.min;
      if (argument) {
        const std::int64_t block = inBlock(run, l);
        const std::int64_t whole = m_pipeline.func(stage.func).region[*argument].extent();
        if (run.depth == Depth::Host) start += dims[l] / 2 / block * block;
        const std::int64_t toMiddle =
            kFewBlocks * block >= whole ? toMiddleThread(run, l, whole) : 0;
        run.isInMiddleThread = run.isInMiddleThread || toMiddle != 0;
        start += toMiddle;
      }
      run.base.push_back({start, start});
    }
  }

  static std::int64_t toMiddleThread(const Run &run, std::size_t dim, std::int64_t extent) {
    for (const FlatLoop &loop : run.loops)
      if (loop.dim == dim && isThread(loop.kind))
        return std::min(loop.iterations, divideUp(extent, loop.step)) / 2 * loop.step;
    return 0;
  }

  // The length that a block covers along a dimension.
  static std::int64_t inBlock(const Run &run, std::size_t dim) {
    std::int64_t reach = 1;
    for (const FlatLoop &loop : run.loops)
      if (loop.dim == dim && loop.kind != LoopKind::Block)
        reach = std::max(reach, loop.iterations * loop.step);
    return reach;
  }

  static void widen(Launch &launch, const Run &run) {
    for (std::size_t d = 0; d < kBlockDims; ++d)
      launch.blockThreads[d] = std::max(launch.blockThreads[d], run.threads[d]);
  }

  // How often the stage is begun from the host.
  double launchesOf(const Run &run, const Run *around) const {
    const double own = launchesFrom(run, run.hostLoop);
    if (!around) return own;
    const Place &place = m_schedule.plan(m_pipeline.stage(run.stage).func).compute;
    return own * launchesFrom(*around, loopOf(m_schedule, place)) * around->launches /
           launchesFrom(*around, around->hostLoop);
  }

  void startKernel(Run &run, const Run *around) {
    run.kernel = static_cast<std::uint32_t>(m_runs.m_kernelCount++);
    if (run.kernel == m_runs.m_kernels.size()) m_runs.m_kernels.emplace_back();
    Kernel &kernel = m_runs.m_kernels[run.kernel];
    kernel.stages.clear();
    run.launches = launchesOf(run, around);
    Launch &launch = kernel.launch = {};
    launch.stage = run.stage;
    launch.launches = run.launches;
    launch.blocks = blocksOf(run);
  }

  // All FlatLoops of one fused loop lie along the same thread dimension. A thread loop of one
  // iteration has no FlatLoop, but takes up a dimension.
  void ownThreads(Run &run, Dims dims) const {
    const schedule::LoopNest &nest = m_schedule.plan(run.stage).nest;
    // dim: how many of the `inside` innermost loops are thread loops.
    std::size_t dim = 0, inside = 0;
    for (const FlatLoop &loop : run.loops) {
      if (!isThread(loop.kind)) continue;
      for (; inside < loop.loop; ++inside)
        if (isThread(nest.loops[inside].kind)) ++dim;
      if (dim >= kBlockDims) return;
      if (run.threads[dim] == 1) run.threadSteps[dim][loop.dim] = static_cast<double>(loop.step);
      run.threads[dim] *= loop.iterations;
      run.active[dim] *= activeOf(loop, dims);
      const schedule::LoopRef ref = nest.loops[loop.loop].ref;
      if (nest.axes[ref.axis].fused.empty()) continue;
      // The FlatLoops of a fused loop can have more iterations together than the fused loop itself:
      // 5 · 6 · 9 = 270 for an extent of 256.
      const std::int64_t all = schedule::loopExtent(nest, ref, dims);
      run.threads[dim] = std::min(run.threads[dim], all);
      run.active[dim] = std::min(run.active[dim], all);
    }
  }

  // For a func computed inside a thread, the distance of neighbouring threads is the distance of
  // the boxes that its reader reads in these threads.
  void takeThreads(Run &run, const Run &around, FuncId id) {
    run.threads = around.threads;
    run.active = around.active;
    const std::size_t place = loopOf(m_schedule, m_schedule.plan(id).compute);
    const Run *reader = &around;
    const Reads::Source *source = around.reads->find(Producer::func(id));
    if (!source) reader = readerInThread(id, source);
    if (!reader) return;
    std::vector<Interval> over = reader->base;
    for (const FlatLoop &loop : reader->loops)
      if ((reader != &around || loop.loop < place) && reader->isInThread(loop))
        over[loop.dim].max += loop.reach();
    reader->reads->evaluate(over, m_here);
    const Stage &stage = m_pipeline.stage(run.stage);
    run.isInMiddleThread = reader->isInMiddleThread;
    if (run.isInMiddleThread)
      for (std::size_t l = 0; l < stage.loops.size(); ++l)
        if (const auto argument = stage.loops[l].argument) {
          const std::int64_t start = m_here[source->firstDim + *argument].min;
          run.base[l] = {start, start};
        }
    for (std::size_t d = 0; d < kBlockDims; ++d) {
      if (run.threads[d] <= 1) continue;
      const auto last = static_cast<double>(run.threads[d] - 1);
      reader->shift(over, d, last, m_moved);
      reader->reads->evaluate(m_moved, m_there);
      for (std::size_t l = 0; l < stage.loops.size(); ++l)
        if (const auto argument = stage.loops[l].argument) {
          const std::size_t side = source->firstDim + *argument;
          run.threadSteps[d][l] = static_cast<double>(m_there[side].min - m_here[side].min) / last;
        }
    }
  }

  // Finds a reader in the thread if the surrounding stage does not read the func itself.
  const Run *readerInThread(FuncId id, const Reads::Source *&source) const {
    for (const StageId stage : schedule::readersOf(m_schedule, id)) {
      if (m_pipeline.stage(stage).func == id || !m_runs.contains(stage)) continue;
      const Run &reader = m_runs.of(stage);
      if (reader.depth != Depth::Thread) continue;
      source = reader.reads->find(Producer::func(id));
      if (source) return &reader;
    }
    return nullptr;
  }

  void addShared(FuncId id) {
    const Storage storage = m_schedule.plan(id).storage;
    const Bounds::FuncBounds &bounds = m_bounds.of(id);
    if (bounds.storeDepth != Depth::Block) return;
    if (storage != Storage::Auto && storage != Storage::Shared) return;
    const pipeline::Func &func = m_pipeline.func(id);
    m_runs.m_kernels[m_runs.of(func.firstStage).kernel].launch.sharedBytes +=
        pipeline::saturatingMultiply(allocatedElements(m_schedule, m_bounds, id),
                                     pipeline::elementBytes(func));
  }

  KernelRuns &m_runs;
  const Schedule &m_schedule;
  const Bounds &m_bounds;
  const Pipeline &m_pipeline;
  std::uint32_t m_next = 0; // index of the next run to fill
  std::vector<Interval> m_moved, m_here, m_there;
};

KernelRuns::KernelRuns(const Schedule &schedule, const Bounds &bounds,
                       std::span<const FuncId> funcs) {
  renew(schedule, bounds, funcs);
}

void KernelRuns::renew(const Schedule &schedule, const Bounds &bounds,
                       std::span<const FuncId> funcs) {
  reset(schedule);
  m_funcs.assign(funcs.begin(), funcs.end());
  std::size_t stages = 0;
  for (const FuncId id : m_funcs)
    stages += m_pipeline->func(id).stageCount;
  // Resized before runs are added: resizing later would invalidate the pointer to the run around
  // the one that is being added.
  if (m_runs.size() < stages) m_runs.resize(stages);
  Builder builder(*this, schedule, bounds);
  for (const FuncId id : m_funcs | std::views::reverse)
    builder.add(id);
  MemorySpaceFinder finder(*this, schedule, bounds);
  m_dealtOut.clear();
  for (const FuncId id : m_funcs) {
    m_spaces[index(id)] = finder.find(id);
    if (finder.isDealtOut(id)) m_dealtOut.push_back(id);
  }
}

// If the pipeline stays the same, the time that reset() takes depends on the number of funcs of the
// previous renew(), not on the size of the pipeline.
void KernelRuns::reset(const Schedule &schedule) {
  m_kernelCount = 0;
  if (m_pipeline != schedule.pipeline()) {
    m_pipeline = schedule.pipeline();
    m_reads.clear(m_pipeline->stages().size());
    m_slots.assign(m_pipeline->stages().size(), kNone);
    m_spaces.assign(m_pipeline->funcs().size(), MemorySpace::Global);
    return;
  }
  for (const FuncId id : m_funcs) {
    const pipeline::Func &func = m_pipeline->func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s)
      m_slots[index(func.firstStage) + s] = kNone;
    m_spaces[index(id)] = MemorySpace::Global;
  }
}

bool KernelRuns::renew(const Schedule &schedule, const Bounds &bounds, StageId stage) {
  bool isNews = Builder(*this, schedule, bounds).change(stage);
  // The new loops may index the stage's own func or the funcs that it reads. This can change the
  // memory spaces of these funcs.
  MemorySpaceFinder finder(*this, schedule, bounds);
  const auto findMemorySpace = [&](FuncId id) {
    const MemorySpace before = std::exchange(m_spaces[index(id)], finder.find(id));
    isNews = isNews || m_spaces[index(id)] != before;
  };
  const FuncId own = schedule.pipeline()->stage(stage).func;
  findMemorySpace(own);
  if (finder.isDealtOut(own) && std::ranges::find(m_dealtOut, own) == m_dealtOut.end())
    m_dealtOut.push_back(own);
  for (const FuncId id : m_dealtOut) // the kernel may have more threads than before
    findMemorySpace(id);
  for (const Reads::Source &source : of(stage).reads->sources()) {
    const auto id = static_cast<FuncId>(source.producer.index);
    if (source.producer.kind == Producer::Kind::Func && !source.self && !source.inlined &&
        contains(schedule.pipeline()->func(id).firstStage))
      findMemorySpace(id);
  }
  return isNews;
}

} // namespace tessera::cost
