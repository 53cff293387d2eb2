// SPDX-License-Identifier: MIT
#include "engine/footprint/kernel_footprint.h"

#include "engine/cost/load/run_facts.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace tessera::footprint {

using cost::KernelRuns;
using cost::MemorySpace;
using cost::Run;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::Schedule;

namespace {

// The largest distance by which a tile is moved to find out how far its boxes move. It is a
// multiple of the divisors in pyramids, so that the quotients are not rounded.
constexpr std::int64_t kFarthest = 4096;

double pointsOf(std::span<const Interval> box) {
  double points = 1;
  for (const Interval &side : box)
    points *= side.bounded() ? static_cast<double>(side.extent()) : 0.0;
  return points;
}

std::int64_t bytesOf(double points, std::int64_t elementBytes) {
  return std::llround(points * static_cast<double>(elementBytes));
}

class FootprintBuilder {
public:
  FootprintBuilder(const Schedule &schedule, const machine::Limits &limits, const Bounds &bounds,
                   const KernelRuns &runs, StageId owner, std::span<const std::int64_t> at)
      : m_schedule(schedule), m_limits(limits), m_pipeline(*schedule.pipeline()), m_bounds(bounds),
        m_runs(runs), m_owner(owner), m_stage(m_pipeline.stage(owner)), m_at(at),
        m_needed(schedule, owner) {}

  KernelFootprint build() {
    m_result.owner = m_owner;
    m_result.name = m_pipeline.stageName(m_owner);
    for (const pipeline::LoopDim &loop : m_stage.loops) {
      m_result.loops.push_back(loop.name);
      m_result.reductions.push_back(loop.kind == pipeline::LoopDim::Kind::Reduction);
    }
    m_result.launch = m_runs.kernelOf(m_runs.of(m_owner)).launch;
    for (const NeededBoxes::Entry &entry : m_needed.entries())
      m_result.entries.push_back(entryOf(entry));
    findScales();
    for (const Level level : kAllLevels)
      addLevel(level);
    for (std::size_t e = 0; e < m_result.entries.size(); ++e)
      m_result.entries[e].redundancy = redundancyOf(m_result.entries[e]);
    return std::move(m_result);
  }

private:
  Tile tileAt(Level level, std::span<const std::int64_t> at = {}) const {
    return tileOf(m_schedule, m_bounds, m_limits, m_owner, level, at);
  }

  Entry entryOf(const NeededBoxes::Entry &needed) const {
    Entry entry;
    entry.name = m_pipeline.producerName(needed.producer);
    entry.producer = needed.producer;
    entry.role = needed.role;
    const auto reasons = m_needed.reasons().subspan(needed.firstDim, needed.dims);
    entry.chosenBy.assign(reasons.begin(), reasons.end());
    if (needed.producer.kind == Producer::Kind::Input) {
      entry.memory = MemorySpace::Global;
      entry.elementBytes =
          m_pipeline.input(static_cast<pipeline::InputId>(needed.producer.index)).type.bytes();
      for (std::uint32_t d = 0; d < needed.dims; ++d)
        entry.dims.push_back("_" + std::to_string(d));
      return entry;
    }
    const auto func = static_cast<FuncId>(needed.producer.index);
    entry.dims = m_pipeline.func(func).args;
    entry.elementBytes = pipeline::elementBytes(m_pipeline.func(func));
    if (needed.role != Role::Inlined) entry.memory = m_runs.space(func);
    entry.depth = m_bounds.of(func).depth;
    if (needed.role != Role::Member) return entry;
    const std::span<const Interval> stored = m_bounds.of(func).stored;
    entry.stored.assign(stored.begin(), stored.end());
    entry.storedBytes = bytesOf(pointsOf(stored), entry.elementBytes);
    return entry;
  }

  // How many elements each box moves when the output's tile moves by one along each of its loops.
  void findScales() {
    std::vector<Interval> loops = tileAt(Level::Thread).ranges();
    const std::vector<Interval> whole = tileAt(Level::Grid).ranges();
    std::vector<Interval> here, there;
    for (std::size_t l = 0; l < loops.size(); ++l) // a single point, far from both ends
      loops[l] = {loops[l].min, loops[l].min};
    m_needed.evaluate(loops, here);
    m_scales.assign(loops.size(), std::vector<double>(here.size(), 0.0));
    for (std::size_t l = 0; l < loops.size(); ++l) {
      const std::int64_t by = farthest(whole[l].max - loops[l].max);
      if (by == 0) continue;
      const Interval before = std::exchange(loops[l], {loops[l].min + by, loops[l].max + by});
      m_needed.evaluate(loops, there);
      loops[l] = before;
      for (std::size_t d = 0; d < here.size(); ++d)
        if (here[d].bounded() && there[d].bounded() && !there[d].empty())
          m_scales[l][d] =
              static_cast<double>(there[d].min - here[d].min) / static_cast<double>(by);
    }
  }

  // The largest power of two up to half of the way to the end. Farther out, boundary conditions may
  // clamp the boxes.
  static std::int64_t farthest(std::int64_t left) {
    std::int64_t by = left > 0 ? 1 : 0;
    while (by > 0 && by * 4 <= left && by < kFarthest)
      by *= 2;
    return by;
  }

  void addLevel(Level level) {
    const auto i = static_cast<std::size_t>(level);
    m_result.tiles[i] = tileAt(level, m_at);
    const Tile &tile = m_result.tiles[i];
    std::vector<Interval> boxes;
    m_needed.evaluate(tile.ranges(), boxes);
    if (level == Level::Grid) m_grid = boxes;
    for (std::size_t e = 0; e < m_result.entries.size(); ++e)
      m_result.entries[e].boxes[i] = levelBox(m_needed.entries()[e], tile, boxes);
    // finish() needs the boxes of the grid, which is the last level.
    if (level != Level::Grid) return;
    for (const Level of : kAllLevels)
      finish(of);
  }

  LevelBox levelBox(const NeededBoxes::Entry &needed, const Tile &tile,
                    const std::vector<Interval> &boxes) const {
    LevelBox box;
    for (std::uint32_t d = 0; d < needed.dims; ++d)
      box.sides.push_back(sideOf(needed.firstDim + d, tile, boxes));
    box.points = pointsOf(needed.boxIn(boxes));
    return box;
  }

  BoxSide sideOf(std::size_t dim, const Tile &tile, const std::vector<Interval> &boxes) const {
    BoxSide side;
    side.range = boxes[dim].empty() ? Interval{0, -1} : boxes[dim];
    findMover(side, dim, false);
    if (!side.movedBy) findMover(side, dim, true);
    if (!side.movedBy || side.range.empty() || !side.range.bounded()) return side;
    const Tile::Side &mover = tile.sides[*side.movedBy];
    side.step = std::abs(side.scale) * static_cast<double>(mover.step);
    if (mover.count > 1 && !mover.isInterleaved)
      side.overlap = std::max(0.0, static_cast<double>(side.range.extent()) - side.step);
    if (side.scale <= 0) return side;
    const double first = static_cast<double>(mover.range.min) * side.scale;
    const double last = static_cast<double>(mover.range.max + 1) * side.scale;
    side.before = static_cast<std::int64_t>(std::floor(first)) - side.range.min;
    side.after = side.range.max - static_cast<std::int64_t>(std::ceil(last)) + 1;
    return side;
  }

  void findMover(BoxSide &side, std::size_t dim, bool reductions) const {
    for (std::uint32_t l = 0; l < m_scales.size(); ++l)
      if (m_result.reductions[l] == reductions &&
          std::abs(m_scales[l][dim]) > std::abs(side.scale)) {
        side.scale = m_scales[l][dim];
        side.movedBy = l;
      }
  }

  void finish(Level level) {
    const auto i = static_cast<std::size_t>(level);
    const Tile &tile = m_result.tiles[i];
    for (std::size_t e = 0; e < m_result.entries.size(); ++e) {
      const NeededBoxes::Entry &needed = m_needed.entries()[e];
      Entry &entry = m_result.entries[e];
      LevelBox &box = entry.boxes[i];
      box.own = entry.role == Role::Output ? box.points : ownPoints(box, needed, tile);
      box.bytes = bytesAt(level, entry);
      if (entry.memory) add(m_result.bytes[i], *entry.memory, box.bytes);
    }
  }

  // The tile's share of the points of its box, if tiles divide the points that several of them
  // need. Neighbouring tiles divide the overlap of their boxes. Along a loop that does not move the
  // box, all tiles have the same box and divide all of it.
  double ownPoints(const LevelBox &box, const NeededBoxes::Entry &needed, const Tile &tile) const {
    double own = box.points;
    for (std::size_t l = 0; l < tile.sides.size(); ++l) {
      if (tile.sides[l].count < 2) continue;
      double kept = 1; // fraction of the box that the next tile along the loop also needs
      for (std::uint32_t d = 0; d < needed.dims; ++d)
        if (const double extent = static_cast<double>(box.sides[d].range.extent()); extent > 0)
          kept *= std::max(0.0, 1 - stepAlong(tile, l, needed.firstDim + d) / extent);
      own *= kept == 1 ? 1 / static_cast<double>(tile.sides[l].count) : 1 - kept;
    }
    // All tiles together need no less than the grid does.
    const double least = pointsOf(needed.boxIn(m_grid)) / tile.count();
    return std::min(box.points, std::max(own, least));
  }

  double stepAlong(const Tile &tile, std::size_t loop, std::size_t dim) const {
    return std::abs(m_scales[loop][dim]) * static_cast<double>(tile.sides[loop].step);
  }

  // A member that is computed in threads is stored once for each thread, one that is computed in
  // blocks once for each block.
  std::int64_t bytesAt(Level level, const Entry &entry) const {
    if (!entry.memory) return 0;
    const cost::Launch &launch = m_result.launch;
    const double blocks = level == Level::Grid ? launch.blocks : 1;
    const auto threads = static_cast<double>(launch.threads());
    const bool isOfThread = entry.role == Role::Member && entry.depth == Depth::Thread;
    if (isOfThread) {
      const auto warp = static_cast<double>(m_limits.warpSize);
      const double copies = level == Level::Thread ? 1
                            : level == Level::Warp ? std::min(warp, threads)
                                                   : blocks * threads;
      return bytesOf(copies, entry.storedBytes);
    }
    if (entry.role == Role::Member && entry.depth == Depth::Block && level >= Level::Block)
      return bytesOf(blocks, entry.storedBytes);
    return bytesOf(entry.at(level).points, entry.elementBytes);
  }

  static void add(BytesBySpace &bytes, MemorySpace space, std::int64_t more) {
    std::int64_t &sum = space == MemorySpace::Registers ? bytes.registers
                        : space == MemorySpace::Shared  ? bytes.shared
                        : space == MemorySpace::Global  ? bytes.global
                                                        : bytes.local;
    sum = pipeline::saturatingAdd(sum, more);
  }

  // Points that a block computes, divided by its share of the points (LevelBox::own), minus 1.
  std::optional<double> redundancyOf(const Entry &entry) const {
    if (entry.role != Role::Member && entry.role != Role::Inlined) return std::nullopt;
    const double own = entry.at(Level::Block).own;
    if (own <= 0) return std::nullopt;
    const auto func = static_cast<FuncId>(entry.producer.index);
    const double computed =
        entry.role == Role::Member ? computedInBlock(func) : evaluatedInBlock(func);
    return std::max(0.0, computed / own - 1);
  }

  double computedInBlock(FuncId func) const {
    const Run &run = m_runs.of(m_pipeline.func(func).firstStage);
    const double threads = run.depth == Depth::Thread ? cost::product(run.active) : 1;
    return pointsOf(m_bounds.of(func).computed) * run.times * threads;
  }

  // How many elements of an inlined func the stages of the kernel evaluate in a block. Each body of
  // a stage evaluates an element only once.
  double evaluatedInBlock(FuncId func) const {
    double evaluations = 0;
    std::vector<Interval> over, boxes;
    std::vector<cost::Reads::Count> counts;
    for (const StageId stage : m_runs.kernelOf(m_runs.of(m_owner)).stages) {
      const Run &run = m_runs.of(stage);
      const auto sources = run.reads->sources();
      const cost::Reads::Source *source = run.reads->find(Producer::func(func));
      if (!source) continue;
      run.overBody(over);
      run.reads->evaluate(over, boxes);
      counts.resize(sources.size());
      run.reads->count(cost::pointsOf(run), run.numbers, boxes, counts);
      evaluations += counts[static_cast<std::size_t>(source - sources.data())].loads * run.bodies *
                     cost::product(run.active);
    }
    return evaluations;
  }

  const Schedule &m_schedule;
  const machine::Limits &m_limits;
  const Pipeline &m_pipeline;
  const Bounds &m_bounds;
  const KernelRuns &m_runs;
  StageId m_owner;
  const pipeline::Stage &m_stage;
  std::span<const std::int64_t> m_at;
  NeededBoxes m_needed;
  std::vector<std::vector<double>> m_scales; // by loop of the owner and dimension of the boxes
  std::vector<Interval> m_grid;
  KernelFootprint m_result;
};

} // namespace

bool Entry::isWhole() const {
  return std::ranges::any_of(chosenBy, [](const std::string &why) { return !why.empty(); });
}

Footprints::Footprints(const Schedule &schedule, const machine::Machine &machine)
    : m_schedule(schedule), m_limits(machine.limits), m_bounds(m_schedule),
      m_runs(m_schedule, m_bounds, m_schedule.pipeline()->allFuncs()) {
  for (const KernelRuns::Kernel &kernel : m_runs.kernels() | std::views::reverse)
    m_kernels.push_back(kernel.launch.stage);
}

KernelFootprint Footprints::of(StageId owner, std::span<const std::int64_t> at) const {
  return FootprintBuilder(m_schedule, m_limits, m_bounds, m_runs, owner, at).build();
}

} // namespace tessera::footprint
