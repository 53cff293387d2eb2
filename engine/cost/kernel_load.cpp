// SPDX-License-Identifier: MIT
#include "engine/cost/kernel_load.h"

#include "engine/cost/flat_loops.h"
#include "engine/cost/reads.h"
#include "engine/cost/warp_access.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tessera::cost {

using machine::Machine;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Depth;
using schedule::FuncPlan;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;
using schedule::Shape;
using schedule::Storage;

namespace {

constexpr std::size_t kDims = 3;
constexpr double kSector = 32, kLine = 128;
// The first-level cache keeps this much even where shared memory takes the rest.
constexpr double kLeastCache = 28 * 1024;

using Steps = std::vector<double>; // along each loop dimension of a stage

// Where the values of a func are while its kernel runs.
enum class Home : std::uint8_t { Global, Shared, Registers, Local };

// A stage and what surrounds it.
struct Run {
  bool counted = false; // not inlined
  std::vector<FlatLoop> loops;
  std::size_t bodyLoops = 0;                      // the innermost ones, without turns
  std::size_t hostLoop = SIZE_MAX;                // of the nest: the first around all blocks
  std::vector<Interval> base;                     // of its dimensions in one iteration of its place
  std::array<Steps, kDims> threadSteps;           // from one thread to the next along x, y, z
  std::array<std::int64_t, kDims> lanes{1, 1, 1}; // threads
  std::array<std::int64_t, kDims> active{1, 1, 1}; // of those, with something to compute
  double times = 1;                                // that it is run in a block, or by a thread
  double launches = 1;                             // of its kernel
  std::uint32_t kernel = 0;
};

std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

bool isThread(LoopKind kind) { return kind == LoopKind::Thread || kind == LoopKind::Lane; }
bool isBody(LoopKind kind) { return kind == LoopKind::Unrolled || kind == LoopKind::Vectorized; }

// A loop that a thread of the kernel runs.
bool isTurn(const Run &run, const FlatLoop &loop) {
  return !isThread(loop.kind) && loop.kind != LoopKind::Block && loop.loop < run.hostLoop;
}

double sectorBytes(std::span<const Interval> box, double bytes) {
  if (box.empty()) return kSector;
  const double rows = volumeOf(box.subspan(1));
  return rows * (static_cast<double>(box.front().extent() - 1) * bytes + kSector);
}

class Loader {
public:
  Loader(const Schedule &schedule, const Shape &shape, const Machine &machine)
      : m_schedule(schedule), m_shape(shape), m_pipeline(*schedule.pipeline()), m_machine(machine),
        m_slots(m_pipeline.stages().size()), m_homes(m_pipeline.funcs().size(), Home::Global) {}

  std::vector<KernelLoad> load(std::span<const FuncId> funcs) {
    std::uint32_t stages = 0;
    for (const FuncId id : funcs)
      for (std::uint32_t s = 0; s < m_pipeline.func(id).stageCount; ++s)
        m_slots[index(m_pipeline.func(id).firstStage) + s] = stages++;
    m_runs.resize(stages);
    m_reads.resize(stages);
    for (std::size_t i = funcs.size(); i-- > 0;)
      enter(funcs[i]);
    for (std::size_t i = funcs.size(); i-- > 0;)
      findHome(funcs[i]);
    for (KernelLoad &kernel : m_kernels)
      for (StageLoad &load : kernel.stages)
        fill(kernel, load);
    std::ranges::reverse(m_kernels);
    return std::move(m_kernels);
  }

private:
  FuncId funcOf(StageId stage) const { return m_pipeline.stage(stage).func; }
  const Reads &readsOf(StageId stage) {
    auto &reads = m_reads[m_slots[index(stage)]];
    if (!reads) reads.emplace(m_schedule, stage);
    return *reads;
  }

  Run &runOf(StageId stage) { return m_runs[m_slots[index(stage)]]; }

  // ---- what surrounds each stage

  void enter(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    if (plan.isInline()) return;
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = func.stageCount; s-- > 0;)
      enter(id, static_cast<StageId>(index(func.firstStage) + s));
    addShared(id, plan);
  }

  void enter(FuncId id, StageId stage) {
    Run &run = runOf(stage);
    const Shape::FuncShape &func = m_shape.of(id);
    const Shape::StageShape &shape = m_shape.of(stage);
    const LoopNest &nest = m_schedule.plan(stage).nest;
    run.counted = true;
    flatten(nest, shape.dims, run.loops);
    run.bodyLoops = static_cast<std::size_t>(
        std::ranges::find_if_not(run.loops, isBody, &FlatLoop::kind) - run.loops.begin());
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Block) run.hostLoop = l + 1;
    setBase(run, stage, func);
    for (Steps &steps : run.threadSteps)
      steps.assign(run.base.size(), 0.0);
    if (func.depth == Depth::Thread)
      takeThreads(run, id, stage);
    else
      ownThreads(run, shape.dims);
    const Place &place = m_schedule.plan(id).compute;
    const Run *around = place.kind == Place::Kind::At ? &runOf(place.stage) : nullptr;
    if (around) run.times = around->times * turnsOutside(*around, place);
    if (func.depth == Depth::Host) {
      run.kernel = static_cast<std::uint32_t>(m_kernels.size());
      KernelLoad &kernel = m_kernels.emplace_back();
      kernel.stage = stage;
      run.launches = launchesOf(run, run.hostLoop) *
                     (around ? launchesOf(*around, placeOf(place)) * around->launches /
                                   launchesOf(*around, around->hostLoop)
                             : 1);
      kernel.launches = run.launches;
      kernel.blocks = blocksOf(run);
      run.times = 1;
    } else {
      run.kernel = around->kernel;
    }
    KernelLoad &kernel = m_kernels[run.kernel];
    for (std::size_t d = 0; d < kDims; ++d)
      kernel.blockThreads[d] = std::max(kernel.blockThreads[d], run.lanes[d]);
    kernel.stages.emplace_back().stage = stage;
    kernel.stages.back().depth = func.depth;
  }

  // In the middle of the whole, where no boundary is near.
  void setBase(Run &run, StageId stage, const Shape::FuncShape &func) const {
    const Stage &of = m_pipeline.stage(stage);
    const Shape::StageShape &shape = m_shape.of(stage);
    std::vector<std::int64_t> inBlock(of.loops.size(), 1);
    for (const FlatLoop &loop : run.loops)
      if (loop.kind != LoopKind::Block)
        inBlock[loop.dim] = std::max(inBlock[loop.dim], loop.iterations * loop.step);
    for (std::size_t l = 0; l < of.loops.size(); ++l) {
      const auto argument = of.loops[l].argument;
      Interval whole = argument ? func.computed[*argument] : of.loops[l].range;
      std::int64_t start = whole.min;
      if (func.depth == Depth::Host && argument)
        start += shape.dims[l] / 2 / inBlock[l] * inBlock[l];
      run.base.push_back({start, start});
    }
  }

  // Threads that there is something to compute for; of other loops, all iterations.
  static std::int64_t activeOf(const FlatLoop &loop, std::span<const std::int64_t> dims) {
    if (!isThread(loop.kind)) return loop.iterations;
    return std::clamp<std::int64_t>(divideUp(dims[loop.dim], loop.step), 1, loop.iterations);
  }

  // Pieces of a fused loop are threads in a row.
  void ownThreads(Run &run, std::span<const std::int64_t> dims) const {
    std::size_t dim = 0, last = SIZE_MAX;
    for (const FlatLoop &loop : run.loops) {
      if (!isThread(loop.kind)) continue;
      if (last != SIZE_MAX && loop.loop != last) ++dim;
      last = loop.loop;
      if (dim >= kDims) return;
      if (run.lanes[dim] == 1) run.threadSteps[dim][loop.dim] = static_cast<double>(loop.step);
      run.lanes[dim] *= loop.iterations;
      run.active[dim] *= activeOf(loop, dims);
    }
  }

  // Of a func in a thread: as its consumer's footprint moves with the threads.
  void takeThreads(Run &run, FuncId id, StageId stage) {
    const Place &place = m_schedule.plan(id).compute;
    const Run &around = runOf(place.stage);
    run.lanes = around.lanes;
    run.active = around.active;
    const Reads &reads = readsOf(place.stage);
    const auto source =
        std::ranges::find(reads.sources(), Producer::func(id), &Reads::Source::producer);
    if (source == reads.sources().end()) return;
    std::vector<Interval> loops = covered(around, [&](const FlatLoop &loop) {
      return loop.loop < placeOf(place) && isTurn(around, loop);
    });
    m_boxes.assign(reads.boxDims(), {});
    reads.evaluate(loops, m_boxes);
    const std::vector<Interval> here = m_boxes;
    for (std::size_t d = 0; d < kDims; ++d) {
      if (run.lanes[d] <= 1) continue;
      const auto last = static_cast<double>(run.lanes[d] - 1);
      std::vector<Interval> moved = loops;
      for (std::size_t l = 0; l < moved.size(); ++l)
        shift(moved[l], around.threadSteps[d][l] * last);
      reads.evaluate(moved, m_boxes);
      const Stage &of = m_pipeline.stage(stage);
      for (std::size_t l = 0; l < of.loops.size(); ++l)
        if (const auto argument = of.loops[l].argument) {
          const std::size_t side = source->firstDim + *argument;
          run.threadSteps[d][l] = static_cast<double>(m_boxes[side].min - here[side].min) / last;
        }
    }
  }

  static void shift(Interval &interval, double by) {
    const auto steps = static_cast<std::int64_t>(std::llround(by));
    interval.min += steps;
    interval.max += steps;
  }

  std::size_t placeOf(const Place &place) const {
    return m_schedule.plan(place.stage).nest.find(place.loop).value_or(0);
  }

  // Of a place's loop and those around it, in the same kernel.
  double turnsOutside(const Run &run, const Place &place) const {
    double turns = 1;
    for (const FlatLoop &loop : run.loops)
      if (loop.loop >= placeOf(place) && isTurn(run, loop))
        turns *= static_cast<double>(loop.iterations);
    return turns;
  }

  // Iterations of the loops from `first` outwards, all of them on the host.
  static double launchesOf(const Run &run, std::size_t first) {
    double launches = 1;
    for (const FlatLoop &loop : run.loops)
      if (loop.loop >= first) launches *= static_cast<double>(loop.iterations);
    return launches;
  }

  static double blocksOf(const Run &run) {
    double blocks = 1;
    for (const FlatLoop &loop : run.loops)
      if (loop.kind == LoopKind::Block) blocks *= static_cast<double>(loop.iterations);
    return blocks;
  }

  void addShared(FuncId id, const FuncPlan &plan) {
    const Shape::FuncShape &shape = m_shape.of(id);
    if (shape.storeDepth != Depth::Block) return;
    if (plan.storage != Storage::Auto && plan.storage != Storage::Shared) return;
    const StageId first = m_pipeline.func(id).firstStage;
    m_kernels[runOf(first).kernel].sharedBytes +=
        pipeline::saturatingMultiply(pipeline::volume({shape.stored.begin(), shape.stored.end()}),
                                     pipeline::elementBytes(m_pipeline.func(id)));
  }

  // ---- where values are

  void findHome(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    if (plan.isInline()) return;
    const Shape::FuncShape &shape = m_shape.of(id);
    Home &home = m_homes[index(id)];
    switch (plan.storage) {
    case Storage::Global:
      home = Home::Global;
      return;
    case Storage::Shared:
      home = Home::Shared;
      return;
    case Storage::Auto:
      home = shape.storeDepth == Depth::Host    ? Home::Global
             : shape.storeDepth == Depth::Block ? Home::Shared
                                                : Home::Registers;
      break;
    default:
      home = Home::Registers;
    }
    if (home == Home::Registers && volumeOf(shape.stored) > 1 && isIndexed(id)) home = Home::Local;
  }

  // Registers have no address: what a loop counts through is an array in memory.
  bool isIndexed(FuncId id) {
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<StageId>(index(func.firstStage) + s);
      const Run &run = runOf(stage);
      for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l)
        if (isTurn(run, run.loops[l]) && m_pipeline.stage(stage).loops[run.loops[l].dim].argument)
          return true;
    }
    const Place &place = m_schedule.plan(id).compute;
    for (const StageId reader : schedule::readersOf(m_schedule, id)) {
      const Run &run = runOf(reader);
      if (!run.counted || funcOf(reader) == id) continue;
      const std::size_t outermost = reader == place.stage ? placeOf(place) : SIZE_MAX;
      for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l)
        if (isTurn(run, run.loops[l]) && run.loops[l].loop < outermost &&
            moves(reader, run.loops[l], id))
          return true;
    }
    return false;
  }

  // Whether another iteration of the loop reads other elements.
  bool moves(StageId reader, const FlatLoop &loop, FuncId id) {
    const Reads &reads = readsOf(reader);
    const auto source =
        std::ranges::find(reads.sources(), Producer::func(id), &Reads::Source::producer);
    if (source == reads.sources().end()) return false;
    std::vector<Interval> loops = runOf(reader).base;
    m_boxes.assign(reads.boxDims(), {});
    reads.evaluate(loops, m_boxes);
    const std::vector<Interval> here = m_boxes;
    shift(loops[loop.dim], static_cast<double>(loop.reach()));
    reads.evaluate(loops, m_boxes);
    for (std::size_t d = 0; d < source->dims; ++d)
      if (here[source->firstDim + d] != m_boxes[source->firstDim + d]) return true;
    return false;
  }

  // ---- what a stage asks for

  template <typename Included>
  std::vector<Interval> covered(const Run &run, const Included &included) const {
    std::vector<Interval> loops = run.base;
    for (const FlatLoop &loop : run.loops)
      if (included(loop)) loops[loop.dim].max += loop.reach();
    return loops;
  }

  void fill(KernelLoad &kernel, StageLoad &load) {
    const Run &run = runOf(load.stage);
    const Stage &stage = m_pipeline.stage(load.stage);
    const Reads &reads = readsOf(load.stage);
    setThreads(kernel, load, run);
    load.bodies = run.times * useful(run, load.stage);
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l)
      if (isTurn(run, run.loops[l])) load.bodies *= static_cast<double>(run.loops[l].iterations);
    if (load.depth != Depth::Thread && kernel.stages.size() > 1) load.barriers = run.times;

    const std::vector<Interval> body = covered(run, [&](const FlatLoop &loop) {
      return isBody(loop.kind) && &loop < run.loops.data() + run.bodyLoops;
    });
    for (std::size_t l = 0; l < run.bodyLoops; ++l)
      load.points *= static_cast<double>(run.loops[l].iterations);
    m_boxes.assign(reads.boxDims(), {});
    reads.evaluate(body, m_boxes);
    m_counts.assign(reads.sources().size(), 0);
    reads.count(load.points, m_boxes, m_counts);
    load.guarded = isGuarded(run, load.stage);
    load.arithmetic.add(arithmeticOf(stage), load.points);
    for (std::size_t s = 0; s < reads.sources().size(); ++s)
      if (reads.sources()[s].inlined) {
        load.arithmetic.add(arithmeticOf(m_pipeline.stage(reads.sources()[s].stage)), m_counts[s]);
        load.inlined += m_counts[s];
      }
    addLevels(run, reads);
    addLoads(kernel, load, run, reads, body);
    addStores(kernel, load, run, stage, body);
    constexpr double kPerBody = 6, kPerRequest = 1.2;
    load.addressing = kPerBody + kPerRequest * (load.loads + load.stores + load.sharedAccesses);
  }

  // Threads in excess of what there is to compute do nothing.
  void setThreads(const KernelLoad &kernel, StageLoad &load, const Run &run) const {
    const std::int64_t warp = m_machine.limits.warpSize;
    load.threads = static_cast<double>(run.active[0] * run.active[1] * run.active[2]);
    const std::int64_t rowsOfBlock = std::max<std::int64_t>(1, warp / kernel.blockThreads[0]);
    const std::int64_t across = divideUp(run.active[0], warp);
    load.warps = kernel.blockThreads[0] >= warp
                     ? static_cast<double>(across * run.active[1] * run.active[2])
                     : static_cast<double>(divideUp(run.active[1], rowsOfBlock) * run.active[2]);
  }

  // The part of the turns that a guard lets through.
  double useful(const Run &run, StageId id) const {
    const Shape::StageShape &shape = m_shape.of(id);
    double part = 1;
    for (std::size_t d = 0; d < shape.dims.size(); ++d) {
      double covers = 1;
      bool isWhole = true; // for all lanes of a warp, or for none
      for (const FlatLoop &loop : run.loops)
        if (loop.dim == d) {
          covers *= static_cast<double>(activeOf(loop, shape.dims));
          isWhole = isWhole && loop.kind != LoopKind::Block &&
                    (!isThread(loop.kind) || run.threadSteps[0][d] == 0);
        }
      if (isWhole) part *= std::min(1.0, static_cast<double>(shape.dims[d]) / covers);
    }
    return part;
  }

  // Whether each copy of an unrolled loop is behind a condition of its own.
  bool isGuarded(const Run &run, StageId id) const {
    const LoopNest &nest = m_schedule.plan(id).nest;
    const Shape::StageShape &shape = m_shape.of(id);
    for (std::size_t l = 0; l < run.bodyLoops; ++l) {
      const std::size_t d = run.loops[l].dim;
      if (run.loops[l].kind != LoopKind::Unrolled || nest.axes[d].splits.empty()) continue;
      const schedule::Split &split = nest.axes[d].splits.front();
      const bool isCut = split.tail == schedule::Tail::GuardWithIf ||
                         (split.tail == schedule::Tail::Auto && m_pipeline.stage(id).index > 0);
      if (isCut && shape.dims[d] % split.factor != 0) return true;
    }
    return false;
  }

  // A box of each source for all threads of the block: in a body, and with each loop more.
  struct Level {
    std::vector<Interval> boxes;
    double repeats = 1; // of this level in what is outside of it, the stage's own loops alone
  };

  void addLevels(const Run &run, const Reads &reads) {
    std::vector<Interval> loops = covered(run, [&](const FlatLoop &loop) {
      return isThread(loop.kind) || &loop < run.loops.data() + run.bodyLoops;
    });
    for (std::size_t d = 0; d < kDims; ++d)
      if (!hasOwnThreads(run))
        for (std::size_t l = 0; l < loops.size(); ++l) {
          const double reach = run.threadSteps[d][l] * static_cast<double>(run.lanes[d] - 1);
          (reach < 0 ? loops[l].min : loops[l].max) += static_cast<std::int64_t>(reach);
        }
    m_levels.clear();
    double turns = 1;
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l)
      if (isTurn(run, run.loops[l])) turns *= static_cast<double>(run.loops[l].iterations);
    addLevel(reads, loops, turns);
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l) {
      const FlatLoop &loop = run.loops[l];
      if (!isTurn(run, loop)) continue;
      loops[loop.dim].max += loop.reach();
      turns /= static_cast<double>(loop.iterations);
      addLevel(reads, loops, turns);
    }
  }

  static bool hasOwnThreads(const Run &run) {
    return std::ranges::any_of(run.loops, isThread, &FlatLoop::kind);
  }

  void addLevel(const Reads &reads, const std::vector<Interval> &loops, double repeats) {
    Level &level = m_levels.emplace_back();
    level.boxes.assign(reads.boxDims(), {});
    reads.evaluate(loops, level.boxes);
    level.repeats = repeats;
  }

  std::span<const Interval> boxOf(const Level &level, const Reads::Source &source) const {
    return std::span(level.boxes).subspan(source.firstDim, source.dims);
  }

  // How many turns in a row leave what is read of a source as it is.
  double steadyTurns(const Run &run, const Reads::Source &source) const {
    double steady = 1;
    std::size_t level = 0;
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l) {
      if (!isTurn(run, run.loops[l])) continue;
      if (!std::ranges::equal(boxOf(m_levels[level], source), boxOf(m_levels[level + 1], source)))
        break;
      steady *= static_cast<double>(run.loops[l].iterations);
      ++level;
    }
    return steady;
  }

  void addLoads(KernelLoad &kernel, StageLoad &load, const Run &run, const Reads &reads,
                const std::vector<Interval> &body) {
    struct Cached {
      std::size_t source;
      double bytes, sectors; // of an element; that a body asks for, all warps
      double loads;
    };
    std::vector<Cached> cached;
    for (std::size_t s = 0; s < reads.sources().size(); ++s) {
      const Reads::Source &source = reads.sources()[s];
      if (source.inlined || m_counts[s] == 0) continue;
      const double loads = m_counts[s] / steadyTurns(run, source) * tupleSize(source.producer);
      const Home home = homeOf(source.producer);
      load.values += loads;
      if (home == Home::Registers) continue;
      if (home == Home::Local) {
        load.localAccesses += loads;
        continue;
      }
      WarpAccess access = accessOf(kernel, run, reads, source, body);
      if (home == Home::Shared) {
        const double width = widthOf(run, reads, source, access.bytes);
        access.bytes *= width;
        load.sharedAccesses += loads / width;
        load.sharedPasses += loads / width * bankPasses(access);
        continue;
      }
      load.loads += loads;
      load.lines += loads * unitsTouched(access, kLine);
      cached.push_back(
          {s, access.bytes, loads * unitsTouched(access, kSector) * load.warps, loads});
    }
    double requested = 0;
    for (const Cached &one : cached) {
      requested += one.sectors * kSector;
      const Reads::Source &source = reads.sources()[one.source];
      kernel.dramBytes += std::min(volumeOf(m_pipeline.producerRegion(source.producer)) * one.bytes,
                                   one.sectors * kSector * load.bodies * kernel.blocks);
    }
    if (requested == 0) return;
    // The longest stretch of turns whose reads stay in the cache while it lasts.
    const double resident = residentBlocks(kernel);
    const double room =
        std::max(kLeastCache, static_cast<double>(m_machine.sm.cacheBytes) -
                                  resident * static_cast<double>(kernel.sharedBytes));
    double bytes = requested * load.bodies;
    for (const Level &level : m_levels) {
      double unique = 0;
      for (const Cached &one : cached)
        unique += std::min(sectorBytes(boxOf(level, reads.sources()[one.source]), one.bytes),
                           one.sectors * kSector * load.bodies);
      if (unique * resident > room && &level != &m_levels.front()) break;
      const double fits = std::min(1.0, room / (unique * resident));
      const double fetched = unique * level.repeats * run.times;
      bytes = std::min(bytes, fits * fetched + (1 - fits) * bytes);
    }
    load.l2Bytes = bytes;
    load.missing = load.loads * std::min(1.0, bytes / (requested * load.bodies));
  }

  double residentBlocks(const KernelLoad &kernel) const {
    const double onEach = std::ceil(kernel.blocks / static_cast<double>(m_machine.multiprocessors));
    const auto threads = static_cast<double>(kernel.threads());
    return std::max(
        1.0, std::min({onEach, std::floor(static_cast<double>(m_machine.sm.threads) / threads),
                       static_cast<double>(m_machine.sm.blocks)}));
  }

  Home homeOf(Producer producer) const {
    return producer.kind == Producer::Kind::Input ? Home::Global : m_homes[producer.index];
  }

  double tupleSize(Producer producer) const {
    if (producer.kind == Producer::Kind::Input) return 1;
    return static_cast<double>(m_pipeline.func(static_cast<FuncId>(producer.index)).types.size());
  }

  double elementBytes(Producer producer) const {
    if (producer.kind == Producer::Kind::Input)
      return m_pipeline.input(static_cast<pipeline::InputId>(producer.index)).type.bytes();
    return m_pipeline.func(static_cast<FuncId>(producer.index)).types.front().bytes();
  }

  // Bytes from one element to the next along each dimension of where it is kept.
  std::vector<double> stridesOf(Producer producer) const {
    std::vector<Interval> box;
    std::span<const std::uint16_t> layout;
    if (producer.kind == Producer::Kind::Input) {
      box = m_pipeline.producerRegion(producer);
    } else {
      const auto id = static_cast<FuncId>(producer.index);
      const Shape::FuncShape &shape = m_shape.of(id);
      box.assign(shape.stored.begin(), shape.stored.end());
      if (box.empty()) box = m_pipeline.func(id).region; // of a kernel that nobody asked about
      layout = m_schedule.plan(id).layout;
    }
    std::vector<double> strides(box.size());
    double stride = elementBytes(producer);
    for (std::size_t i = 0; i < box.size(); ++i) {
      const std::size_t d = layout.empty() ? i : layout[i];
      strides[d] = stride;
      stride *= static_cast<double>(std::max<std::int64_t>(1, box[d].extent()));
    }
    return strides;
  }

  // Elements that one instruction takes from shared memory: where a vectorised loop runs along what
  // lies side by side. In global memory rows begin anywhere, and vectors are taken apart.
  double widthOf(const Run &run, const Reads &reads, const Reads::Source &source, double bytes) {
    if (run.bodyLoops == 0 || run.loops.front().kind != LoopKind::Vectorized || source.dims == 0)
      return 1;
    const FlatLoop &vector = run.loops.front();
    std::vector<Interval> loops = run.base;
    m_moved.assign(reads.boxDims(), {});
    reads.evaluate(loops, m_moved);
    const std::int64_t first = m_moved[source.firstDim].min;
    shift(loops[vector.dim], static_cast<double>(vector.reach()));
    reads.evaluate(loops, m_moved);
    if (m_moved[source.firstDim].min - first != vector.iterations - 1) return 1;
    return vectorWidth(vector, bytes);
  }

  static double vectorWidth(const FlatLoop &vector, double bytes) {
    constexpr double kMostBytes = 16;
    return std::max(1.0, std::min(static_cast<double>(vector.iterations), kMostBytes / bytes));
  }

  // The threads of a full warp of this stage.
  WarpAccess warpOf(const KernelLoad &kernel, const Run &run, double bytes) const {
    WarpAccess access{{1, 1, 1}, {0, 0, 0}, bytes};
    std::int64_t left = m_machine.limits.warpSize;
    for (std::size_t d = 0; d < kDims && left > 1; ++d) {
      access.lanes[d] = std::min(left, run.active[d]);
      left /= std::max<std::int64_t>(1, std::min(left, kernel.blockThreads[d]));
    }
    return access;
  }

  WarpAccess accessOf(const KernelLoad &kernel, const Run &run, const Reads &reads,
                      const Reads::Source &source, const std::vector<Interval> &body) {
    WarpAccess access = warpOf(kernel, run, elementBytes(source.producer));
    const std::vector<double> strides = stridesOf(source.producer);
    for (std::size_t i = 0; i < source.dims; ++i)
      if (reads.isGathered(source.firstDim + i))
        access.scattered =
            std::max(access.scattered,
                     strides[i] * static_cast<double>(m_boxes[source.firstDim + i].extent()));
    for (std::size_t d = 0; d < kDims; ++d) {
      if (access.lanes[d] <= 1) continue;
      const auto last = static_cast<double>(access.lanes[d] - 1);
      std::vector<Interval> moved = body;
      for (std::size_t l = 0; l < moved.size(); ++l)
        shift(moved[l], run.threadSteps[d][l] * last);
      m_moved.assign(reads.boxDims(), {});
      reads.evaluate(moved, m_moved);
      for (std::size_t i = 0; i < source.dims; ++i) {
        const std::size_t side = source.firstDim + i;
        access.strides[d] +=
            static_cast<double>(m_moved[side].min - m_boxes[side].min) / last * strides[i];
      }
    }
    return access;
  }

  void addStores(KernelLoad &kernel, StageLoad &load, const Run &run, const Stage &stage,
                 const std::vector<Interval> &body) {
    const Producer own = Producer::func(stage.func);
    const auto boxOf = [&](std::span<const Interval> loops) {
      std::vector<Interval> box;
      for (const pipeline::IndexMap &map : stage.store.indices) {
        Interval side = pipeline::evaluate(map, loops);
        if (!side.bounded()) side = m_pipeline.func(stage.func).region[box.size()];
        box.push_back(side);
      }
      return box;
    };
    const std::vector<Interval> here = boxOf(body);
    double stores = std::min(load.points, volumeOf(here)) * tupleSize(own);
    // A sum over loops that stay where they are is kept in a register.
    std::vector<Interval> moved = body;
    for (std::size_t l = run.bodyLoops; l < run.loops.size(); ++l) {
      const FlatLoop &loop = run.loops[l];
      if (!isTurn(run, loop)) continue;
      moved[loop.dim].max += loop.reach();
      if (boxOf(moved) != here) break;
      stores /= static_cast<double>(loop.iterations);
    }
    load.values += stores;
    load.turns =
        load.points > 0 ? std::min(load.points, volumeOf(here)) * tupleSize(own) / stores : 1;
    const Home home = m_homes[own.index];
    if (m_schedule.plan(load.stage).atomic != schedule::Atomic::No) load.atomics = stores;
    if (home == Home::Registers) return;
    if (home == Home::Local) {
      load.localAccesses += stores;
      load.localBytes += volumeOf(m_shape.of(stage.func).stored) * elementBytes(own);
      return;
    }
    WarpAccess access = warpOf(kernel, run, elementBytes(own));
    const std::vector<double> strides = stridesOf(own);
    for (std::size_t d = 0; d < kDims; ++d) {
      if (access.lanes[d] <= 1) continue;
      const auto last = static_cast<double>(access.lanes[d] - 1);
      std::vector<Interval> next = body;
      for (std::size_t l = 0; l < next.size(); ++l)
        shift(next[l], run.threadSteps[d][l] * last);
      const std::vector<Interval> there = boxOf(next);
      for (std::size_t i = 0; i < there.size(); ++i)
        access.strides[d] += static_cast<double>(there[i].min - here[i].min) / last * strides[i];
    }
    if (home == Home::Shared) {
      const bool isVector = run.bodyLoops > 0 && run.loops.front().kind == LoopKind::Vectorized &&
                            run.loops.front().dim == 0;
      const double width = isVector ? vectorWidth(run.loops.front(), access.bytes) : 1;
      access.bytes *= width;
      load.sharedAccesses += stores / width;
      load.sharedPasses += stores / width * bankPasses(access);
      return;
    }
    if (load.atomics > 0)
      load.conflicts = static_cast<double>(access.lanes[0] * access.lanes[1] * access.lanes[2]) /
                       unitsTouched(access, access.bytes);
    load.stores += stores;
    load.lines += stores * unitsTouched(access, kLine);
    kernel.dramBytes +=
        std::min(volumeOf(m_pipeline.func(stage.func).region) * access.bytes,
                 stores * load.bodies * load.threads * kernel.blocks * access.bytes);
    load.storeBytes = stores * unitsTouched(access, kSector) * kSector * load.warps * load.bodies;
  }

  const Schedule &m_schedule;
  const Shape &m_shape;
  const Pipeline &m_pipeline;
  const Machine &m_machine;
  std::vector<std::uint32_t> m_slots; // by stage: its place in the next two
  std::vector<Run> m_runs;
  std::vector<std::optional<Reads>> m_reads;
  std::vector<Home> m_homes; // by func
  std::vector<KernelLoad> m_kernels;
  // Of the stage at hand.
  std::vector<Interval> m_boxes, m_moved;
  std::vector<double> m_counts;
  std::vector<Level> m_levels;
};

} // namespace

std::vector<KernelLoad> loadsOf(const Schedule &schedule, const Shape &shape,
                                std::span<const FuncId> funcs, const Machine &machine) {
  return Loader(schedule, shape, machine).load(funcs);
}

} // namespace tessera::cost
