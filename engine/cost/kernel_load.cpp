// SPDX-License-Identifier: MIT
#include "engine/cost/kernel_load.h"

#include "engine/cost/block_reads.h"
#include "engine/cost/kernel_runs.h"
#include "engine/cost/live_values.h"
#include "engine/cost/warp_access.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using machine::Machine;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;
using schedule::Shape;

namespace {

// The first-level cache keeps this much even where shared memory takes the rest: on the H200, what
// 228 KiB of shared memory leave of 256.
constexpr double kLeastCache = 28 * 1024;
// The widest access of a thread (CUDA C++ Programming Guide, "Device Memory Accesses").
constexpr double kWidestAccess = 16;
double product(const std::array<std::int64_t, kBlockDims> &of) {
  return static_cast<double>(of[0] * of[1] * of[2]);
}

// Elements that one instruction takes from side by side.
double vectorWidth(const FlatLoop &vector, double elementBytes) {
  return std::max(1.0,
                  std::min(static_cast<double>(vector.iterations), kWidestAccess / elementBytes));
}

bool isVector(const Run &run) {
  return run.bodyLoops > 0 && run.loops.front().kind == LoopKind::Vectorized;
}

// Of the body's box of a store.
std::vector<Interval> storeBox(const Pipeline &pipeline, const Stage &stage,
                               std::span<const Interval> over) {
  std::vector<Interval> box;
  for (const pipeline::IndexMap &map : stage.store.indices) {
    Interval side = pipeline::evaluate(map, over);
    if (!side.bounded()) side = pipeline.func(stage.func).region[box.size()];
    box.push_back(side);
  }
  return box;
}

// How the elements of an input or a func lie where it is kept.
struct Layout {
  double elementBytes = 4, tupleSize = 1;
  std::vector<double> strides; // bytes from one element to the next along each dimension
  std::vector<Interval> box;   // of all elements
};

Layout layoutOf(const Schedule &schedule, const Shape &shape, Producer producer) {
  const Pipeline &pipeline = *schedule.pipeline();
  Layout layout;
  std::vector<Interval> &box = layout.box;
  std::span<const std::uint16_t> order;
  if (producer.kind == Producer::Kind::Input) {
    box = pipeline.producerRegion(producer);
    layout.elementBytes =
        pipeline.input(static_cast<pipeline::InputId>(producer.index)).type.bytes();
  } else {
    const auto id = static_cast<FuncId>(producer.index);
    const std::span<const Interval> stored = shape.of(id).stored;
    box.assign(stored.begin(), stored.end());
    if (box.empty()) box = pipeline.func(id).region; // of a kernel that nobody asked about
    order = schedule.plan(id).layout;
    layout.elementBytes = pipeline.func(id).types.front().bytes();
    layout.tupleSize = static_cast<double>(pipeline.func(id).types.size());
  }
  layout.strides.resize(box.size());
  double stride = layout.elementBytes;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::size_t d = order.empty() ? i : order[i];
    layout.strides[d] = stride;
    stride *= static_cast<double>(std::max<std::int64_t>(1, box[d].extent()));
  }
  return layout;
}

double volumeShared(std::span<const Interval> one, std::span<const Interval> other) {
  double volume = 1;
  for (std::size_t d = 0; d < one.size(); ++d) {
    const Interval both{std::max(one[d].min, other[d].min), std::min(one[d].max, other[d].max)};
    if (both.max < both.min) return 0;
    volume *= static_cast<double>(both.extent());
  }
  return volume;
}

// What stages of a kernel that are computed at the same place of a thread, in straight-line code,
// have loaded: the next one finds it in registers.
class LoadedByThread {
public:
  // The part of a box that nobody before has loaded there.
  double newPartOf(Producer producer, std::span<const Interval> box, const schedule::Place &at) {
    double known = 0;
    for (const Box &earlier : m_boxes)
      if (earlier.producer == producer && earlier.at == at)
        known = std::max(known, volumeShared(earlier.sides, box));
    m_boxes.push_back({producer, at, {box.begin(), box.end()}});
    return 1 - known / volumeOf(box);
  }

private:
  struct Box {
    Producer producer;
    schedule::Place at;
    std::vector<Interval> sides;
  };
  std::vector<Box> m_boxes;
};

// Fills in what one stage asks for.
class StageLoader {
public:
  StageLoader(const Schedule &schedule, const Shape &shape, const Machine &machine,
              const KernelRuns &runs, const Run &run, KernelLoad &kernel, LoadedByThread &loaded)
      : m_schedule(schedule), m_shape(shape), m_pipeline(*schedule.pipeline()), m_machine(machine),
        m_runs(runs), m_run(run), m_stage(m_pipeline.stage(run.stage)), m_kernel(kernel),
        m_loaded(loaded), m_load(kernel.stages.emplace_back()), m_body(run.overBody()) {}

  void load(bool isAlone) {
    m_load.stage = m_run.stage;
    m_load.depth = m_run.depth;
    m_load.bodies = m_run.bodies;
    if (m_run.depth != Depth::Thread && !isAlone) m_load.barriers = m_run.times;
    for (const FlatLoop &loop : m_run.body())
      m_load.points *= static_cast<double>(loop.iterations);
    m_load.guarded = isGuarded();
    setActive();
    countReads();
    m_run.reads.evaluate(m_body, m_boxes);
    addArithmetic();
    m_load.turns = turnsOfSum(storeBox(m_pipeline, m_stage, m_body));
    m_load.chained = isSum() && m_load.turns == 1 && !m_run.turns().empty() &&
                     homeOf(Producer::func(m_stage.func)) != Home::Registers;
    addLoads();
    addStores();
  }

private:
  // Threads in excess of what there is to compute do nothing.
  void setActive() {
    const std::int64_t warp = m_machine.limits.warpSize;
    const std::int64_t width = m_kernel.blockThreads[0];
    const auto &active = m_run.active;
    m_load.threads = product(active);
    const std::int64_t rowsOfWarp = std::max<std::int64_t>(1, warp / width);
    m_load.warps =
        static_cast<double>(width >= warp ? divideUp(active[0], warp) * active[1] * active[2]
                                          : divideUp(active[1], rowsOfWarp) * active[2]);
  }

  // A body that stores to global memory in between loads again: the compiler does not know that
  // what is stored is none of what is loaded.
  void countReads() {
    std::vector<Interval> over = m_body;
    double copies = 1;
    if (homeOf(Producer::func(m_stage.func)) == Home::Global)
      for (const FlatLoop &loop : m_run.body()) {
        if (loop.kind != LoopKind::Unrolled) continue;
        over[loop.dim].max -= loop.reach();
        copies *= static_cast<double>(loop.iterations);
      }
    m_run.reads.evaluate(over, m_boxes);
    m_counts.assign(m_run.reads.sources().size(), {});
    m_run.reads.count(m_load.points / copies, m_boxes, m_counts);
    for (Reads::Count &count : m_counts) {
      count.loads *= copies;
      count.uses *= copies;
    }
  }

  // Whether each copy of an unrolled loop is behind a condition of its own.
  bool isGuarded() const {
    const schedule::LoopNest &nest = m_schedule.plan(m_run.stage).nest;
    for (const FlatLoop &loop : m_run.body()) {
      if (loop.kind != LoopKind::Unrolled || nest.axes[loop.dim].splits.empty()) continue;
      const schedule::Split &split = nest.axes[loop.dim].splits.front();
      const bool isCut = split.tail == schedule::Tail::GuardWithIf ||
                         (split.tail == schedule::Tail::Auto && m_stage.index > 0);
      if (isCut && m_shape.of(m_run.stage).dims[loop.dim] % split.factor != 0) return true;
    }
    return false;
  }

  void addArithmetic() {
    m_load.arithmetic.add(arithmeticOf(m_stage), m_load.points);
    const std::span<const Reads::Source> sources = m_run.reads.sources();
    for (std::size_t s = 0; s < sources.size(); ++s)
      if (sources[s].inlined)
        m_load.arithmetic.add(arithmeticOf(m_pipeline.stage(sources[s].stage)), m_counts[s].loads);
  }

  // ---- loads

  // Of the elements that a body loads, those that wait in a register for another use.
  static double heldOf(const Reads::Count &count) {
    constexpr double kLeast = 0.15; // one is used while the next is on its way
    constexpr double kMost = 0.5;
    return count.loads * std::clamp((count.uses / count.loads - 1) / 6, kLeast, kMost);
  }

  // Of a sum, unrolled: one after the other, so that each holds only what it reads itself.
  double unrolledSteps() const {
    double steps = 1;
    for (const FlatLoop &loop : m_run.body())
      if (m_stage.loops[loop.dim].kind == pipeline::LoopDim::Kind::Reduction)
        steps *= static_cast<double>(loop.iterations);
    return steps;
  }

  // Whether what a thread computes of a func and what it makes of it is one straight line, so that
  // no value has to wait for all others.
  bool isOrdered(Producer producer) const {
    const auto id = static_cast<FuncId>(producer.index);
    if (id == m_stage.func || !m_run.turns().empty()) return false;
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s)
      if (!m_runs.of(static_cast<pipeline::StageId>(index(func.firstStage) + s)).turns().empty())
        return false;
    return true;
  }

  double newPartOf(const Reads::Source &source) const {
    if (m_run.depth != Depth::Thread || !m_run.turns().empty()) return 1;
    if (m_run.reads.isGathered(source)) return 1; // from places of its own
    if (homeOf(source.producer) != Home::Global && homeOf(source.producer) != Home::Shared)
      return 1;
    return m_loaded.newPartOf(source.producer, source.boxIn(m_boxes),
                              m_schedule.plan(m_stage.func).compute);
  }

  void addLoads() {
    const BlockReads block(m_run);
    const LiveValues live(m_run, m_body, m_counts);
    std::vector<CachedRead> cached;
    const double steps = unrolledSteps();
    const std::span<const Reads::Source> sources = m_run.reads.sources();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Reads::Source &source = sources[s];
      if (m_counts[s].loads == 0) continue;
      if (source.inlined) { // computed once, as if it were loaded
        m_load.held += heldOf(m_counts[s]) / steps;
        m_load.live += live.of(s) / steps;
        continue;
      }
      const Layout layout = layoutOf(m_schedule, m_shape, source.producer);
      const double loads =
          m_counts[s].loads / block.steadyTurns(source) * newPartOf(source) * layout.tupleSize;
      const bool isThere = homeOf(source.producer) == Home::Registers;
      m_load.held += (isThere ? m_counts[s].loads : heldOf(m_counts[s])) * layout.tupleSize / steps;
      m_load.live += (isThere && !isOrdered(source.producer) ? m_counts[s].loads : live.of(s)) *
                     layout.tupleSize / steps;
      switch (homeOf(source.producer)) {
      case Home::Registers:
        break;
      case Home::Local:
        addLocal(loads, m_run.reads.isGathered(source) ? volumeOf(layout.box) : 1);
        break;
      case Home::Shared: {
        const WarpAccess access = accessOf(source, layout);
        addShared(loads,
                  std::max(widthOf(source, layout.elementBytes),
                           sideBySide(layout, source.boxIn(m_boxes), access)),
                  access);
        break;
      }
      case Home::Global:
        cached.push_back(globalRead(source, layout, loads));
      }
    }
    if (cached.empty()) return;
    double requested = 0;
    for (const CachedRead &read : cached)
      requested += read.requested;
    m_load.l2Bytes = block.fetched(cached, cacheOfBlock());
    m_load.missing = m_load.loads * std::min(1.0, m_load.l2Bytes / (requested * m_load.bodies));
    // Stores go to the second-level cache.
    if (m_load.chained && homeOf(Producer::func(m_stage.func)) == Home::Global)
      m_load.missing = m_load.loads;
  }

  // The same element of all threads of a warp lies in one line; data choose different ones. How
  // many.
  double addLocal(double accesses, double places) {
    const WarpAccess access{
        {m_machine.limits.warpSize, 1, 1}, {0, 0, 0}, 4, places * kLineBytes, places};
    m_load.localAccesses += accesses;
    const double lines = unitsTouched(access, kLineBytes);
    m_load.lines += accesses * (lines - 1); // one is in the accesses
    return lines;
  }

  CachedRead globalRead(const Reads::Source &source, const Layout &layout, double loads) {
    const WarpAccess access = accessOf(source, layout);
    m_load.loads += loads;
    m_load.lines += loads * unitsTouched(access, kLineBytes);
    addRows(loads, source.boxIn(m_boxes), layout);
    const double requested =
        loads * unitsTouched(access, kSectorBytes) * kSectorBytes * m_load.warps;
    m_kernel.dramBytes +=
        std::min(volumeOf(m_pipeline.producerRegion(source.producer)) * layout.elementBytes,
                 requested * m_load.bodies * m_kernel.blocks);
    return {&source, layout.elementBytes, requested};
  }

  // The elements of a body, of global memory, that lie beyond each other's reach.
  void addRows(double elements, std::span<const Interval> box, const Layout &layout) {
    double rows = 1;
    for (std::size_t d = 0; d < box.size(); ++d)
      if (layout.strides[d] > layout.elementBytes) rows *= static_cast<double>(box[d].extent());
    m_load.rows += std::min(elements, rows);
  }

  // The first-level cache that is left for each of the blocks of a multiprocessor.
  double cacheOfBlock() const {
    const machine::Multiprocessor &sm = m_machine.sm;
    const double onEach =
        std::ceil(m_kernel.blocks / static_cast<double>(m_machine.multiprocessors));
    const double ofThreads =
        std::floor(static_cast<double>(sm.threads) / static_cast<double>(m_kernel.threads()));
    const double resident =
        std::max(1.0, std::min({onEach, ofThreads, static_cast<double>(sm.blocks)}));
    const double free =
        static_cast<double>(sm.cacheBytes) - resident * static_cast<double>(m_kernel.sharedBytes);
    return std::max(kLeastCache, free) / resident;
  }

  Home homeOf(Producer producer) const {
    return producer.kind == Producer::Kind::Input
               ? Home::Global
               : m_runs.home(static_cast<FuncId>(producer.index));
  }

  // Elements side by side that one instruction takes from shared memory, where LLVM sees that they
  // begin at a multiple of it: where each row and each thread's part do.
  static double sideBySide(const Layout &layout, std::span<const Interval> box,
                           const WarpAccess &access) {
    for (const double width : {4.0, 2.0}) {
      const double bytes = width * layout.elementBytes;
      bool isAligned = bytes <= kWidestAccess;
      for (std::size_t d = 0; d < box.size(); ++d)
        isAligned = isAligned && (layout.strides[d] > layout.elementBytes
                                      ? std::fmod(layout.strides[d], bytes) == 0
                                      : static_cast<double>(box[d].extent()) >= width);
      for (const double stride : access.strides)
        isAligned = isAligned && std::fmod(stride, bytes) == 0;
      if (isAligned) return width;
    }
    return 1;
  }

  // Elements that one instruction takes from shared memory: where a vectorised loop runs along what
  // lies side by side. In global memory rows begin anywhere, and vectors are taken apart.
  double widthOf(const Reads::Source &source, double elementBytes) {
    if (!isVector(m_run) || source.dims == 0) return 1;
    const FlatLoop &vector = m_run.loops.front();
    std::vector<Interval> over = m_run.base;
    m_run.reads.evaluate(over, m_moved);
    const std::int64_t first = m_moved[source.firstDim].min;
    over[vector.dim].min += vector.reach();
    over[vector.dim].max += vector.reach();
    m_run.reads.evaluate(over, m_moved);
    if (m_moved[source.firstDim].min - first != vector.iterations - 1) return 1;
    return vectorWidth(vector, elementBytes);
  }

  WarpAccess accessOf(const Reads::Source &source, const Layout &layout) {
    const auto boxOf = [&](std::span<const Interval> over) {
      m_run.reads.evaluate(over, m_moved);
      return source.boxIn(m_moved);
    };
    const std::span<const Interval> box = source.boxIn(m_boxes);
    WarpAccess access = accessOf(layout, box, boxOf);
    for (std::size_t d = 0; d < source.dims; ++d)
      if (m_run.reads.isGathered(source.firstDim + d)) scatter(access, layout.strides[d], box[d]);
    return access;
  }

  // Data decide where along a side of a box it is.
  static void scatter(WarpAccess &access, double stride, const Interval &side) {
    const auto places = static_cast<double>(side.extent());
    access.scattered = std::max(access.scattered, stride * places);
    access.places *= places;
    access.first = WarpAccess::kAnywhere;
  }

  // Of the threads of a full warp, when a body accesses `here` and `boxOf` says what another
  // thread's body does: by how far that is, the addresses are apart.
  template <typename BoxOf>
  WarpAccess accessOf(const Layout &layout, std::span<const Interval> here,
                      const BoxOf &boxOf) const {
    WarpAccess access{{1, 1, 1}, {0, 0, 0}, layout.elementBytes};
    std::int64_t left = m_machine.limits.warpSize;
    for (std::size_t d = 0; d < kBlockDims && left > 1; ++d) {
      access.lanes[d] = std::min(left, m_run.active[d]);
      left /= std::max<std::int64_t>(1, std::min(left, m_kernel.blockThreads[d]));
    }
    for (std::size_t d = 0; d < kBlockDims; ++d) {
      if (access.lanes[d] <= 1) continue;
      const auto last = static_cast<double>(access.lanes[d] - 1);
      const auto &there = boxOf(m_run.shifted(m_body, d, last));
      for (std::size_t i = 0; i < here.size(); ++i)
        access.strides[d] +=
            static_cast<double>(there[i].min - here[i].min) / last * layout.strides[i];
    }
    access.first = firstOf(layout, here, access);
    return access;
  }

  // Known where rows begin at sectors, and no thread accesses what the next one does.
  static double firstOf(const Layout &layout, std::span<const Interval> here,
                        const WarpAccess &access) {
    double first = 0;
    for (std::size_t d = 0; d < here.size(); ++d) {
      first += layout.strides[d] * static_cast<double>(here[d].min - layout.box[d].min);
      if (layout.strides[d] > layout.elementBytes) {
        if (std::fmod(layout.strides[d], kSectorBytes) != 0) return WarpAccess::kAnywhere;
      } else if (static_cast<double>(here[d].extent()) * layout.elementBytes >
                 std::abs(access.strides[0])) {
        return WarpAccess::kAnywhere;
      }
    }
    return first < 0 ? WarpAccess::kAnywhere : first;
  }

  void addShared(double accesses, double width, WarpAccess access) {
    access.bytes *= width;
    m_load.sharedAccesses += accesses / width;
    m_load.sharedPasses += accesses / width * bankPasses(access);
  }

  // ---- stores

  void addStores() {
    const Producer own = Producer::func(m_stage.func);
    const Layout layout = layoutOf(m_schedule, m_shape, own);
    const std::vector<Interval> box = storeBox(m_pipeline, m_stage, m_body);
    const double stores = std::min(m_load.points, volumeOf(box)) * layout.tupleSize / m_load.turns;
    m_load.held += stores;
    if (m_load.turns > 1 || isSum()) m_load.live += stores;
    if (m_schedule.plan(m_run.stage).atomic != schedule::Atomic::No) m_load.atomics = stores;
    const Home home = homeOf(own);
    if (home == Home::Registers) return;
    if (home == Home::Local) {
      const bool isData = std::ranges::any_of(m_stage.store.indices, [](const auto &map) {
        return map.precision == pipeline::Precision::Whole;
      });
      const double lines = addLocal(stores, isData ? volumeOf(layout.box) : 1);
      m_load.storeBytes = isData ? stores * lines * kLineBytes * m_load.warps * m_load.bodies : 0;
      return;
    }
    WarpAccess access = accessOf(layout, box, [&](std::span<const Interval> over) {
      return storeBox(m_pipeline, m_stage, over);
    });
    for (std::size_t d = 0; d < box.size(); ++d)
      if (m_stage.store.indices[d].precision == pipeline::Precision::Whole)
        scatter(access, layout.strides[d], box[d]);
    if (home == Home::Global) {
      addRows(stores, box, layout);
      addGlobalStores(stores, access);
      return;
    }
    const bool isAlong = isVector(m_run) && m_run.loops.front().dim == 0;
    addShared(stores, isAlong ? vectorWidth(m_run.loops.front(), layout.elementBytes) : 1, access);
  }

  // Whether the stage adds to its own values.
  bool isSum() const { return std::ranges::any_of(m_run.reads.sources(), &Reads::Source::self); }

  // A sum over loops that stay at their place is kept in a register meanwhile.
  double turnsOfSum(const std::vector<Interval> &box) const {
    double turns = 1;
    std::vector<Interval> over = m_body;
    for (const FlatLoop &loop : m_run.turns()) {
      over[loop.dim].max += loop.reach();
      if (storeBox(m_pipeline, m_stage, over) != box) break;
      turns *= static_cast<double>(loop.iterations);
    }
    return turns;
  }

  void addGlobalStores(double stores, const WarpAccess &access) {
    if (m_load.atomics > 0)
      m_load.conflicts = product(access.lanes) / unitsTouched(access, access.bytes);
    m_load.stores += stores;
    m_load.lines += stores * unitsTouched(access, kLineBytes);
    m_load.storeBytes =
        stores * unitsTouched(access, kSectorBytes) * kSectorBytes * m_load.warps * m_load.bodies;
    m_kernel.dramBytes +=
        std::min(volumeOf(m_pipeline.func(m_stage.func).region) * access.bytes,
                 stores * m_load.bodies * m_load.threads * m_kernel.blocks * access.bytes);
  }

  const Schedule &m_schedule;
  const Shape &m_shape;
  const Pipeline &m_pipeline;
  const Machine &m_machine;
  const KernelRuns &m_runs;
  const Run &m_run;
  const Stage &m_stage;
  KernelLoad &m_kernel;
  LoadedByThread &m_loaded;
  StageLoad &m_load;
  const std::vector<Interval> m_body;     // what the loops run over in a body
  std::vector<Interval> m_boxes, m_moved; // what is read there, and elsewhere
  std::vector<Reads::Count> m_counts;     // of each source, in a body
};

} // namespace

std::vector<KernelLoad> loadsOf(const Schedule &schedule, const Shape &shape,
                                std::span<const FuncId> funcs, const Machine &machine) {
  const KernelRuns runs(schedule, shape, funcs);
  std::vector<KernelLoad> kernels;
  for (const KernelRuns::Kernel &kernel : runs.kernels() | std::views::reverse) {
    KernelLoad &load = kernels.emplace_back(KernelLoad{kernel.launch, 0, {}});
    load.stages.reserve(kernel.stages.size());
    LoadedByThread loaded;
    for (const pipeline::StageId stage : kernel.stages)
      StageLoader(schedule, shape, machine, runs, runs.of(stage), load, loaded)
          .load(kernel.stages.size() == 1);
  }
  return kernels;
}

} // namespace tessera::cost
