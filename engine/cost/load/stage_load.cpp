// SPDX-License-Identifier: MIT
#include "engine/cost/load/stage_load.h"

#include "engine/cost/load/layout.h"
#include "engine/cost/load/run_facts.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

using machine::Machine;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Bounds;
using schedule::Depth;
using schedule::Schedule;

namespace {

// The first-level cache keeps at least this much when shared memory takes the rest. On the H200,
// shared memory takes 228 KiB of 256.
constexpr double kLeastCache = 28 * 1024;

constexpr double kLocalBytes = 4; // bytes of an element in local memory
// Additional rows per load from a source that is read at different quotients (26 loads take 87
// instructions, see MODEL_LOG.md).
constexpr double kRowsApart = 1.5;

// Computes the load of one stage. Everything that it looks at has to be in describe().
class StageLoader {
public:
  StageLoader(const Schedule &schedule, const Bounds &bounds, const Machine &machine,
              const KernelRuns &runs, const Run &run, const BodyReads &reads,
              std::span<const double> newParts, LoadScratch &scratch)
      : m_schedule(schedule), m_bounds(bounds), m_pipeline(*schedule.pipeline()),
        m_machine(machine), m_runs(runs), m_run(run), m_stage(m_pipeline.stage(run.stage)),
        m_kernel(runs.kernelOf(run).launch), m_scratch(scratch), m_access(*reads.access),
        m_counts(reads.counts), m_newParts(newParts) {}

  StageLoad load() {
    const bool isAlone = m_runs.kernelOf(m_run).stages.size() == 1;
    m_load.stage = m_run.stage;
    m_load.depth = m_run.depth;
    m_load.bodies = m_run.bodies;
    if (m_run.depth != Depth::Thread && !isAlone) m_load.barriers = m_run.times;
    m_load.points = pointsOf(m_run);
    m_load.guarded = guardedWaits(m_schedule, m_bounds, m_run);
    m_load.threads = product(m_run.active);
    m_load.warps = static_cast<double>(warpsOf(m_run, m_kernel, m_machine));
    addArithmetic();
    m_isBetweenReads = isSum() && isSharedBetweenReads();
    m_stepsStored = isSum() ? stepsStored() : 1;
    m_load.turns = turnsOfSum();
    if (isSum() && !m_isBetweenReads && !isAddedInMemory() &&
        spaceOf(Producer::func(m_stage.func)) != MemorySpace::Registers)
      m_load.chained = m_load.turns == 1 && !m_run.turns().empty() ? m_load.points
                       : m_stepsStored > 1                         ? m_stepsStored
                                                                   : 0;
    if (m_load.chained > 0 && !isStoredAnywhere(m_stage)) forward();
    // Each step waits twice: for the address that data choose, and for the value there, which the
    // step before may have stored.
    if (m_isBetweenReads && isStoredAnywhere(m_stage)) m_load.chained = 2 * m_stepsStored;
    addStores();
    addLoads();
    addLocalMisses();
    return m_load;
  }

private:
  // Finds out whether a step finds in a register what the step before has stored. In shared memory
  // it does, since rows have constant distances there.
  void forward() {
    const MemorySpace space = spaceOf(Producer::func(m_stage.func));
    m_load.forwarded = space == MemorySpace::Shared;
    if (space != MemorySpace::Global) return;
    const std::optional<std::size_t> along = scannedDimension();
    if (!along) return;
    m_scanned = unrolledSteps();
    // The steps of an unrolled loop find the value, and only the first of them loads it.
    m_reloaded = 1;
    m_load.forwarded = m_scanned > 1;
    const bool isFixed = std::ranges::all_of(m_stage.loops, [](const pipeline::LoopDim &loop) {
      return loop.kind != pipeline::LoopDim::Kind::Reduction || loop.fixed;
    });
    if (m_load.forwarded || !isFixed) return;
    m_load.forwarded = true;
    if (*along == 0) {
      // LLVM takes the value along from turn to turn where a step moves by one element, and does
      // not unroll that loop.
      m_reloaded = 0;
      return;
    }
    constexpr double kMost = 16, kShort = 150; // turns of a loop, and its instructions
    const double copies = kShort / std::max(1.0, m_run.reads->instructions() * m_load.points);
    m_load.together = std::clamp(std::exp2(std::floor(std::log2(copies))), 1.0, kMost);
    m_reloaded = 1 / m_load.together;
  }

  // The outermost dimension along which a scan in global memory moves, if the compiler knows how
  // far each step goes. In a kernel of several funcs, what a block keeps has a constant size.
  std::optional<std::size_t> scannedDimension() const {
    std::optional<std::size_t> along;
    const auto isReduction = [this](const pipeline::AffineTerm &term) {
      return m_stage.loops[term.loop].kind == pipeline::LoopDim::Kind::Reduction;
    };
    for (std::size_t d = 0; d < m_stage.store.indices.size(); ++d)
      for (const pipeline::Atom &atom : m_stage.store.indices[d].atoms)
        if (std::ranges::any_of(atom.terms, isReduction)) along = d;
    const bool isRoot = m_schedule.plan(m_stage.func).isRoot();
    return along && (!isRoot || fixesStride(m_pipeline, *along)) ? along : std::nullopt;
  }

  void addArithmetic() {
    const Reads &reads = *m_run.reads;
    m_load.arithmetic = reads.definition().of(m_load.points, m_run.numbers, [&](std::size_t dim) {
      double copies = 1;
      for (const FlatLoop &loop : m_run.body())
        if (loop.dim == dim) copies *= static_cast<double>(loop.iterations);
      return copies;
    });
    m_load.arithmetic.integer += remaindersOf(m_schedule, m_bounds, m_run);
    const std::span<const Reads::Source> sources = reads.sources();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (!sources[s].inlined) continue;
      const Reads::Definition &own = reads.definitionOf(sources[s]);
      const std::span<const Interval> box = sources[s].boxIn(m_access.boxes());
      m_load.arithmetic.add(own.of(m_counts[s].loads, reads.numbersIn(sources[s], m_run.numbers),
                                   [&](std::size_t loop) {
                                     const std::int32_t dim = own.dimOfLoop[loop];
                                     if (dim < 0) return m_counts[s].loads;
                                     return static_cast<double>(
                                         box[static_cast<std::size_t>(dim)].extent());
                                   }),
                            1);
    }
  }

  // ---- loads

  bool isScatteredAlong(const Reads::Source &source, std::size_t d) const {
    return (m_run.reads->scatteredBy(source.firstDim + d) & ~m_run.numbers) != 0;
  }
  // Whether addresses of the source's elements have to be computed one by one.
  bool isScattered(const Reads::Source &source) const {
    for (std::size_t d = 0; d < source.dims; ++d)
      if (isScatteredAlong(source, d)) return true;
    return false;
  }
  // Elements at known distances from one position that data choose share an address. Each row at an
  // unknown distance needs a further address.
  void addScattered(const Reads::Source &source, const Layout &layout, double elements,
                    double loads) {
    const std::span<const Interval> box = m_access.boxOf(source);
    double beside = 1, rows = 1;
    for (std::size_t d = 0; d < source.dims; ++d) {
      if (isScatteredAlong(source, d)) continue;
      const auto extent = static_cast<double>(box[d].extent());
      beside *= extent;
      if (layout.isRow(d)) rows *= extent;
    }
    const double ledTo = std::clamp(elements, 1.0, beside);
    const double addresses = loads / ledTo;
    m_load.scattered += addresses;
    m_load.rows += addresses * (std::min(rows, ledTo) - 1);
  }

  // The elements that a body loads and then keeps in registers for another use.
  static double heldOf(const Reads::Count &count) {
    // Even without reuse, one element is used while the next is being loaded.
    constexpr double kLeast = 0.15;
    constexpr double kMost = 0.5;
    return count.loads * std::clamp((count.uses / count.loads - 1) / 6, kLeast, kMost);
  }

  // The number of unrolled steps of a sum. They run one after the other, so that each holds only
  // its own reads.
  double unrolledSteps() const {
    double steps = 1;
    for (const FlatLoop &loop : m_run.body())
      if (m_stage.loops[loop.dim].kind == pipeline::LoopDim::Kind::Reduction)
        steps *= static_cast<double>(loop.iterations);
    return steps;
  }

  double newPartOf(std::size_t source) const { return m_newParts.empty() ? 1 : m_newParts[source]; }

  void addLoads() {
    m_scratch.block.look(m_run, wholeOfLoops());
    m_scratch.live.look(m_run, m_access.body(), m_counts);
    m_scratch.cached.clear();
    const double steps = unrolledSteps();
    const std::span<const Reads::Source> sources = m_run.reads->sources();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (m_counts[s].loads == 0) continue;
      if (!sources[s].inlined) {
        addLoad(s, steps);
        continue;
      }
      // Inlined values are computed once and kept like loaded values.
      m_load.held += heldOf(m_counts[s]) / steps;
      m_load.live += m_scratch.live.of(s) / steps;
    }
    if (!m_scratch.cached.empty()) addFetches();
  }

  // Adds the loads of one source that is in memory or in registers.
  void addLoad(std::size_t s, double steps) {
    const Reads::Source &source = m_run.reads->sources()[s];
    if (source.self && isAddedInMemory()) return;
    const Layout layout = layoutOf(source.producer, m_run.reads->wholeOf(source));
    const MemorySpace space = spaceOf(source.producer);
    // True: an element stays in a register for all iterations that read it, and is loaded once.
    const bool isKept = !m_isBetweenReads || space != MemorySpace::Shared;
    double loads = m_counts[s].loads / (isKept ? m_scratch.block.steadyTurns(source) : 1) *
                   newPartOf(s) * layout.tupleSize;
    if (source.self && m_load.forwarded && space == MemorySpace::Global)
      loads = std::max(0.0, loads - (m_scanned - m_reloaded) * layout.tupleSize);
    const bool isThere = space == MemorySpace::Registers;
    // A scan finds nearly all elements that it reads in registers, since it has just stored them.
    // Each body loads only the first one.
    const double found = source.self && m_load.forwarded ? std::min(1.0, loads) : loads;
    if (!isThere && isScattered(source)) addScattered(source, layout, m_counts[s].loads, found);
    m_load.held += (isThere ? m_counts[s].loads : heldOf(m_counts[s])) * layout.tupleSize / steps;
    // addValuesAcross() counts other funcs in registers.
    if (!isThere || isCopy(m_pipeline, source.producer))
      m_load.live += m_scratch.live.of(s) * layout.tupleSize / steps;
    AccessLoad told{static_cast<std::uint32_t>(s), source.producer, space};
    switch (space) {
    case MemorySpace::Registers:
      break;
    case MemorySpace::Local:
    case MemorySpace::Apart:
      if (!source.self) keepLocal(layout);
      told.requests = loads;
      told.lines = addLocal(loads, m_run.reads->isGathered(source) || space == MemorySpace::Apart
                                       ? volumeOf(layout.box)
                                       : 1);
      break;
    case MemorySpace::Shared: {
      const WarpAccess access = m_access.load(source, layout);
      if (!isScattered(source)) addRows(loads, m_access.boxOf(source), layout, space);
      addShared(loads, m_isBetweenReads ? 1 : m_access.loadWidth(source, layout, access), access,
                told);
      break;
    }
    case MemorySpace::Global:
      m_scratch.cached.push_back(globalRead(source, layout, loads, told));
    }
    tell(told);
  }

  void tell(const AccessLoad &access) const {
    if (m_scratch.accesses) m_scratch.accesses->push_back(access);
  }

  // Adds the loads of global memory that miss the first-level cache.
  void addFetches() {
    const double resident = residentBlocks();
    addReadAgain(resident);
    m_load.l2Bytes = m_scratch.block.fetched(
        m_scratch.cached, cacheOfBlock(resident),
        {resident, blocksOnEach(), static_cast<double>(m_machine.multiprocessors)});
    m_load.missing = m_load.loads * std::min(1.0, m_load.l2Bytes / (m_asked * m_load.bodies));
    // A scan reads what it has just stored, which is only in the second-level cache. A histogram
    // reads its places before it stores, and a store updates lines that are in the first-level
    // cache.
    if (m_load.chained > 0 && !isStoredAnywhere(m_stage) &&
        spaceOf(Producer::func(m_stage.func)) == MemorySpace::Global && !m_load.forwarded)
      m_load.missing = m_load.loads;
  }

  // Adds accesses to arrays in local memory. Each thread has a copy of every element. The copies of
  // one element in the threads of a warp lie in one line of the cache. If data choose the element,
  // the threads access different lines. Returns the lines per access.
  double addLocal(double accesses, double places) {
    const WarpAccess access{
        {m_machine.limits.warpSize, 1, 1}, {0, 0, 0}, kLocalBytes, places * kLineBytes, places};
    m_load.localAccesses += accesses;
    const double lines = unitsTouched(access, kLineBytes);
    m_load.lines += accesses * (lines - 1); // localAccesses includes one line each
    m_load.cacheBytes += accesses * std::min(lines, 1.0) * kLineBytes;
    return lines;
  }

  // Adds the bytes of a local array, which loops or data index, for all threads of a block.
  void keepLocal(const Layout &layout) {
    m_localBytes +=
        volumeOf(layout.box) * layout.elementBytes * static_cast<double>(m_kernel.threads());
  }

  // Adds the misses for the part of the local arrays that the first-level cache cannot hold beside
  // its other contents.
  void addLocalMisses() {
    constexpr double kPartOfCache = 0.125; // fitted, see tests/campaigns/times
    const double room = kPartOfCache * static_cast<double>(m_machine.sm.cacheBytes);
    const double kept = m_localBytes * residentBlocks();
    if (kept <= room) return;
    m_load.l2Bytes +=
        (1 - room / kept) * m_load.localAccesses * kLocalBytes * m_load.threads * m_load.bodies;
  }

  CachedRead globalRead(const Reads::Source &source, const Layout &layout, double loads,
                        AccessLoad &told) {
    const WarpAccess access = m_access.load(source, layout);
    told.access = access;
    told.requests = loads;
    told.sectors = unitsTouched(access, kSectorBytes);
    told.newSectors = sectorsOf(source, layout, access, loads);
    told.lines = linesLookedUp(access);
    m_load.loads += loads;
    m_load.lines += loads * told.lines;
    m_load.cacheBytes += loads * told.sectors * kSectorBytes;
    if (!isScattered(source)) {
      addRows(loads, m_access.boxOf(source), layout, MemorySpace::Global);
      if (source.apart) m_load.rows += kRowsApart * loads;
    }
    const double perSector = loads * kSectorBytes * m_load.warps;
    const double requested = perSector * told.newSectors;
    m_asked += perSector * told.sectors;
    const double whole = volumeOf(m_run.reads->wholeOf(source)) * layout.elementBytes;
    const double bytes = std::min(whole, requested * m_load.bodies * m_kernel.blocks);
    m_load.dramBytes += bytes;
    m_load.dramReads.add({source.producer, bytes, whole});
    return {&source, layout.elementBytes, requested};
  }

  // The sectors of a load. Elements that lie beside each other in a sector and are loaded by the
  // same body count once.
  double sectorsOf(const Reads::Source &source, const Layout &layout, WarpAccess access,
                   double loads) const {
    const std::span<const Interval> box = m_access.boxOf(source);
    double beside = 1;
    if (!box.empty() && layout.strides[0] == layout.elementBytes && !isScattered(source) &&
        loads >= volumeOf(box))
      beside = std::min(static_cast<double>(box.front().extent()),
                        std::max(1.0, kSectorBytes / layout.elementBytes));
    access.bytes *= beside;
    return unitsTouched(access, kSectorBytes) / beside;
  }

  // Adds what comes from device memory again because a block reads it after the second-level cache
  // dropped it.
  void addReadAgain(double resident) {
    const std::vector<CachedRead> &cached = m_scratch.cached;
    GridReads &grid = m_scratch.grid;
    grid.look(m_run, m_scratch.block.overBlock(), cached,
              resident * static_cast<double>(m_machine.multiprocessors),
              static_cast<double>(m_machine.memory.l2Bytes));
    for (std::size_t r = 0; r < cached.size(); ++r) {
      const double whole =
          volumeOf(m_run.reads->wholeOf(*cached[r].source)) * cached[r].elementBytes;
      const double requested = cached[r].requested * m_load.bodies * m_kernel.blocks;
      const double once = std::min(whole, requested);
      m_load.dramBytes += std::min(requested, once * grid.times(r)) - once;
    }
  }

  // Adds the rows of a body's elements. Addresses in different rows do not differ by a constant
  // offset. In shared memory the first row uses the thread's own address.
  void addRows(double elements, std::span<const Interval> box, const Layout &layout,
               MemorySpace space) {
    const double rows = std::min(elements, layout.rowsOf(box));
    m_load.rows += space == MemorySpace::Global ? rows : std::max(0.0, rows - 1);
  }

  // The intervals of the stage's loops in all blocks together.
  std::span<const Interval> wholeOfLoops() {
    std::vector<Interval> &whole = m_scratch.whole;
    whole.clear();
    const pipeline::Box &region = m_pipeline.func(m_stage.func).region;
    for (const pipeline::LoopDim &loop : m_stage.loops)
      whole.push_back(loop.argument ? region[*loop.argument] : loop.range);
    return whole;
  }

  // Blocks that a multiprocessor runs in total.
  double blocksOnEach() const {
    return std::ceil(m_kernel.blocks / static_cast<double>(m_machine.multiprocessors));
  }

  // Blocks that a multiprocessor runs at the same time, as limited by their threads.
  double residentBlocks() const {
    const machine::Multiprocessor &sm = m_machine.sm;
    const double ofThreads =
        std::floor(static_cast<double>(sm.threads) / static_cast<double>(m_kernel.threads()));
    return std::max(1.0, std::min({blocksOnEach(), ofThreads, static_cast<double>(sm.blocks)}));
  }

  // The first-level cache that is left for each resident block.
  double cacheOfBlock(double resident) const {
    const machine::Multiprocessor &sm = m_machine.sm;
    const double free = static_cast<double>(sm.cacheBytes) -
                        resident * (static_cast<double>(m_kernel.sharedBytes) + m_localBytes);
    return std::max(kLeastCache, free) / resident;
  }

  MemorySpace spaceOf(Producer producer) const { return cost::spaceOf(m_runs, producer); }

  Layout layoutOf(Producer producer, std::span<const Interval> whole) {
    return cost::layoutOf(m_schedule, m_bounds, producer, spaceOf(producer) == MemorySpace::Global,
                          whole, m_scratch.strides);
  }

  void addShared(double accesses, double width, WarpAccess access, AccessLoad &told) {
    access.bytes *= width;
    told.access = access;
    told.width = width;
    told.requests = accesses / width;
    told.passes = m_scratch.passes.of(access);
    m_load.sharedAccesses += told.requests;
    m_load.sharedPasses += told.requests * told.passes;
  }

  // ---- stores

  void addStores() {
    const Producer own = Producer::func(m_stage.func);
    const Layout layout = layoutOf(own, {});
    const double stored = m_stepsStored * m_access.storedElements();
    const double stores = std::min(m_load.points, stored) * layout.tupleSize / m_load.turns;
    // The results that a thread holds at once.
    const double kept = m_isBetweenReads ? stores / m_stepsStored : stores;
    m_load.held += kept;
    if (m_schedule.plan(m_run.stage).atomic != schedule::Atomic::No) m_load.atomics = stores;
    const MemorySpace space = spaceOf(own);
    if (space != MemorySpace::Registers && isSum()) m_load.live += kept * m_load.turns;
    AccessLoad told{AccessLoad::kStore, own, space};
    addStores(stores, layout, told);
    tell(told);
  }

  void addStores(double stores, const Layout &layout, AccessLoad &told) {
    if (told.space == MemorySpace::Registers) return;
    if (told.space == MemorySpace::Local || told.space == MemorySpace::Apart) {
      keepLocal(layout);
      const bool isApart = isStoredAnywhere(m_stage) || told.space == MemorySpace::Apart;
      told.requests = stores;
      told.lines = addLocal(stores, isApart ? volumeOf(layout.box) : 1);
      m_load.storeBytes =
          isApart ? stores * told.lines * kLineBytes * m_load.warps * m_load.bodies : 0;
      return;
    }
    const WarpAccess access = m_access.store(layout);
    addRows(stores, m_access.storeBox(), layout, told.space);
    if (told.space == MemorySpace::Global) {
      addGlobalStores(stores, access, told);
      return;
    }
    addShared(stores, m_access.storeWidth(layout), access, told);
    if (m_load.atomics > 0) addRetries(stores, access);
  }

  // Shared memory adds integers in place. The addition of a float is a loop: it reads the old value
  // and stores the sum if the element still has that value, otherwise it tries again. Of the
  // threads of a warp that add to one element, one succeeds in each iteration.
  void addRetries(double stores, const WarpAccess &access) {
    if (isOfIntegers()) return;
    const double meeting = product(access.lanes) / unitsTouched(access, access.bytes);
    m_load.retries = stores * (std::max(1.0, meeting) - 1);
  }

  bool isOfIntegers() const {
    return std::ranges::none_of(m_pipeline.func(m_stage.func).types, [](pipeline::ScalarType type) {
      return type.kind == pipeline::TypeKind::Float || type.kind == pipeline::TypeKind::BFloat;
    });
  }

  // Whether the stage reads its own func, as a sum does.
  bool isSum() const { return std::ranges::any_of(m_run.reads->sources(), &Reads::Source::self); }

  // Whether the second-level cache makes the additions. Then no thread loads what it adds to, or
  // waits for it.
  bool isAddedInMemory() const {
    return m_schedule.plan(m_run.stage).atomic != schedule::Atomic::No &&
           spaceOf(Producer::func(m_stage.func)) == MemorySpace::Global;
  }

  // Whether a sum in shared memory also reads other shared memory. To LLVM all shared memory is one
  // array, so each step stores its sums before the next step loads.
  bool isSharedBetweenReads() const {
    if (spaceOf(Producer::func(m_stage.func)) != MemorySpace::Shared) return false;
    return std::ranges::any_of(m_run.reads->sources(), [this](const Reads::Source &source) {
      return !source.self && !source.inlined && spaceOf(source.producer) == MemorySpace::Shared;
    });
  }

  // How many unrolled steps of a body's reduction store their sums to memory. If
  // isSharedBetweenReads(), every step does. In global memory, usually only the last step does. But
  // if a loop over rows lies inside a loop of the reduction, the body adds to other rows between
  // two additions to one element. Without the strides of the rows, the compiler cannot tell that
  // these are other elements, so each step stores.
  double stepsStored() {
    if (m_isBetweenReads) return unrolledSteps();
    if (spaceOf(Producer::func(m_stage.func)) != MemorySpace::Global) return 1;
    bool rows = false;
    double steps = 1;
    for (const FlatLoop &loop : m_run.body()) {
      const pipeline::LoopDim &dim = m_stage.loops[loop.dim];
      if (dim.kind == pipeline::LoopDim::Kind::Reduction)
        steps *= rows ? static_cast<double>(loop.iterations) : 1;
      else
        rows = rows ||
               (loop.iterations > 1 && dim.argument && !fixesStride(m_pipeline, *dim.argument));
    }
    m_storesRows = rows;
    return steps;
  }

  // The iterations during which a sum stays in a register, because the loops do not move the
  // element that it is added to.
  double turnsOfSum() {
    if (isStoredAnywhere(m_stage)) return 1; // each iteration may add to another element
    // With atomics, other threads add to the element too, so each addition goes to memory.
    if (m_schedule.plan(m_run.stage).atomic != schedule::Atomic::No) return 1;
    if (m_storesRows || m_isBetweenReads) return 1;
    double turns = 1;
    std::vector<Interval> &over = m_scratch.over;
    over = m_access.body();
    for (const FlatLoop &loop : m_run.turns()) {
      over[loop.dim].max += loop.reach();
      if (!m_access.storesTheSame(over)) break;
      turns *= static_cast<double>(loop.iterations);
    }
    return turns;
  }

  // The additions of integers that the threads of a warp make to the same element are combined
  // first. Data often favour few elements: if data choose, only one in kFavoured elements counts.
  void addAtomics(const WarpAccess &access) {
    constexpr double kFavoured = 32;
    const pipeline::Func &func = m_pipeline.func(m_stage.func);
    const double different = unitsTouched(access, access.bytes);
    m_load.adders = isOfIntegers() ? different : product(access.lanes);
    m_load.conflicts = m_load.adders / different;
    const double places = volumeOf(func.region) / (isStoredAnywhere(m_stage) ? kFavoured : 1);
    m_load.places = std::max(1.0, places);
  }

  void addGlobalStores(double stores, const WarpAccess &access, AccessLoad &told) {
    if (m_load.atomics > 0) addAtomics(access);
    told.access = access;
    told.requests = stores;
    told.sectors = told.newSectors = unitsTouched(access, kSectorBytes);
    told.lines = unitsTouched(access, kLineBytes);
    m_load.stores += stores;
    m_load.lines += stores * told.lines;
    m_load.cacheBytes += stores * told.sectors * kSectorBytes;
    m_load.storeBytes = stores * told.sectors * kSectorBytes * m_load.warps * m_load.bodies;
    m_load.dramBytes +=
        std::min(volumeOf(m_pipeline.func(m_stage.func).region) * access.bytes,
                 stores * m_load.bodies * m_load.threads * m_kernel.blocks * access.bytes);
  }

  const Schedule &m_schedule;
  const Bounds &m_bounds;
  const Pipeline &m_pipeline;
  const Machine &m_machine;
  const KernelRuns &m_runs;
  const Run &m_run;
  const Stage &m_stage;
  const Launch &m_kernel;
  LoadScratch &m_scratch;
  BodyAccess &m_access;
  const std::span<const Reads::Count> m_counts;
  const std::span<const double> m_newParts;
  StageLoad m_load;
  double m_stepsStored = 1;
  double m_scanned = 1;    // steps of a scan in one body
  double m_reloaded = 1;   // of these, those that load what was stored before
  double m_asked = 0;      // bytes of global memory that a body loads, with each load counted
  double m_localBytes = 0; // bytes of a block's arrays in local memory that the stage indexes
  bool m_storesRows = false, m_isBetweenReads = false;
};

} // namespace

StageLoad loadOf(const Schedule &schedule, const Bounds &bounds, const Machine &machine,
                 const KernelRuns &runs, const Run &run, const LoadInputs &inputs,
                 LoadScratch &scratch) {
  const BodyReads reads =
      inputs.reads ? *inputs.reads : readsOf(*schedule.pipeline(), machine, runs, run, scratch);
  return StageLoader(schedule, bounds, machine, runs, run, reads, inputs.newParts, scratch).load();
}

} // namespace tessera::cost
