// SPDX-License-Identifier: MIT
#include "engine/block/warp_pattern.h"

#include "engine/cost/load/layout.h"
#include "engine/cost/load/loaded_by_thread.h"
#include "engine/cost/load/stage_load.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tessera::block {

using cost::AccessLoad;
using cost::KernelRuns;
using cost::Layout;
using cost::MemorySpace;
using cost::Run;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using schedule::Bounds;
using schedule::Schedule;

namespace {

std::vector<std::string> dimsOf(const Pipeline &pipeline, Producer producer) {
  if (producer.kind == Producer::Kind::Func)
    return pipeline.func(static_cast<pipeline::FuncId>(producer.index)).args;
  const pipeline::Input &input = pipeline.input(static_cast<pipeline::InputId>(producer.index));
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < input.dims.size(); ++d)
    dims.push_back("dim" + std::to_string(d));
  return dims;
}

std::int64_t floorOf(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

} // namespace

double WarpPattern::efficiency() const {
  if (load.sectors <= 0) return 0;
  const double asked = cost::unitsTouched(load.access, load.access.bytes) * load.access.bytes;
  return std::min(1.0, asked / (load.sectors * cost::kSectorBytes));
}

std::vector<std::int64_t> WarpPattern::units(double bytes) const {
  const auto unit = static_cast<std::int64_t>(bytes);
  const auto length = static_cast<std::int64_t>(load.access.bytes);
  std::set<std::int64_t> touched;
  for (const LaneAccess &lane : lanes)
    for (std::int64_t at = floorOf(lane.byte, unit); at * unit < lane.byte + length; ++at)
      touched.insert(at);
  return {touched.begin(), touched.end()};
}

std::array<int, kBanks> WarpPattern::banks() const {
  constexpr std::int64_t kWordBytes = 4, kMostWords = 4;
  const std::int64_t width = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(load.access.bytes) / kWordBytes, 1, kMostWords);
  std::set<std::int64_t> words;
  for (const LaneAccess &lane : lanes)
    for (std::int64_t w = 0; w < width; ++w)
      words.insert(floorOf(lane.byte, kWordBytes) + w);
  std::array<int, kBanks> asked{};
  for (const std::int64_t word : words)
    ++asked[static_cast<std::size_t>(word) % kBanks];
  return asked;
}

WarpPatterns::WarpPatterns(const Schedule &schedule, const Bounds &bounds, const KernelRuns &runs,
                           const machine::Machine &machine)
    : m_schedule(schedule), m_bounds(bounds), m_runs(runs), m_machine(machine) {}

std::vector<WarpPattern> WarpPatterns::of(pipeline::StageId stage) {
  std::vector<AccessLoad> accesses;
  cost::LoadedByThread loaded;
  // What a stage loads depends on what stages of the same thread have loaded before.
  for (const pipeline::StageId other : m_runs.kernelOf(m_runs.of(stage)).stages) {
    const Run &run = m_runs.of(other);
    const cost::LoadInputs inputs =
        cost::inputsOf(m_schedule, m_machine, m_runs, run, loaded, m_scratch);
    if (other != stage) continue;
    m_scratch.accesses = &accesses;
    cost::loadOf(m_schedule, m_bounds, m_machine, m_runs, run, inputs, m_scratch);
    m_scratch.accesses = nullptr;
    break;
  }
  // loadOf() lists stores first, but in code they come last.
  std::ranges::stable_sort(accesses, {}, &AccessLoad::isStore);
  std::vector<WarpPattern> patterns;
  for (const AccessLoad &access : accesses)
    patterns.push_back(patternOf(m_runs.of(stage), access));
  return patterns;
}

WarpPattern WarpPatterns::patternOf(const Run &run, const AccessLoad &load) {
  const Pipeline &pipeline = *m_schedule.pipeline();
  WarpPattern pattern;
  pattern.load = load;
  pattern.array = pipeline.producerName(load.producer);
  pattern.dims = dimsOf(pipeline, load.producer);
  std::span<const Interval> whole;
  if (!load.isStore()) whole = run.reads->wholeOf(run.reads->sources()[load.source]);
  const Layout layout = cost::layoutOf(m_schedule, m_bounds, load.producer,
                                       load.space == MemorySpace::Global, whole, m_scratch.strides);
  pattern.box.assign(layout.box.begin(), layout.box.end());
  pattern.elementBytes = std::llround(layout.elementBytes);
  for (const double stride : layout.strides)
    pattern.strides.push_back(std::llround(stride));
  pattern.order.resize(pattern.strides.size());
  std::iota(pattern.order.begin(), pattern.order.end(), std::uint16_t{0});
  std::ranges::stable_sort(pattern.order, {}, [&](std::uint16_t d) { return pattern.strides[d]; });
  if (!pattern.isInMemory()) return pattern;
  pattern.isChosen = load.access.places > 1;
  pattern.startsAnywhere =
      load.space == MemorySpace::Global && load.access.first == cost::WarpAccess::kAnywhere;
  addLanes(run, pattern);
  return pattern;
}

// What a body accesses when the stage's loops run over these intervals.
std::vector<Interval> WarpPatterns::boxOf(const Run &run, const AccessLoad &load,
                                          const std::vector<Interval> &loops) {
  if (load.isStore()) {
    std::vector<Interval> box;
    const pipeline::Stage &stage = m_schedule.pipeline()->stage(run.stage);
    const pipeline::Box &region = m_schedule.pipeline()->func(stage.func).region;
    for (std::size_t d = 0; d < region.size(); ++d) {
      const Interval stored = pipeline::evaluate(stage.store.indices[d], loops);
      box.push_back(stored.bounded() ? stored : region[d]);
    }
    return box;
  }
  run.reads->evaluate(loops, m_boxes);
  const auto box = run.reads->sources()[load.source].boxIn(m_boxes);
  return {box.begin(), box.end()};
}

// The addresses follow from the strides between threads, as the model has them, and the elements
// from the same boxes. So a picture of them shows what was counted.
void WarpPatterns::addLanes(const Run &run, WarpPattern &pattern) {
  const cost::WarpAccess &access = pattern.load.access;
  std::vector<Interval> body, moved;
  run.overBody(body);
  const std::vector<Interval> here = boxOf(run, pattern.load, body);
  std::array<std::vector<double>, cost::kBlockDims> steps;
  for (std::size_t d = 0; d < cost::kBlockDims; ++d) {
    steps[d].assign(here.size(), 0);
    if (access.lanes[d] <= 1) continue;
    const auto last = static_cast<double>(access.lanes[d] - 1);
    run.shift(body, d, last, moved);
    const std::vector<Interval> there = boxOf(run, pattern.load, moved);
    for (std::size_t i = 0; i < here.size(); ++i)
      steps[d][i] = static_cast<double>(there[i].min - here[i].min) / last;
  }
  constexpr double kRounding = 1e-6; // steps are quotients, so products may be just below integers
  const ThreadPlace &threads = m_runs.kernelOf(run).launch.blockThreads;
  // Where an array begins in shared memory does not change the number of bank passes.
  const bool isGlobal = pattern.load.space == MemorySpace::Global;
  const double first = isGlobal ? std::max(0.0, access.first) : 0;
  for (std::int64_t z = 0; z < access.lanes[2]; ++z)
    for (std::int64_t y = 0; y < access.lanes[1]; ++y)
      for (std::int64_t x = 0; x < access.lanes[0]; ++x) {
        LaneAccess lane;
        lane.thread = {x, y, z};
        const std::int64_t number = x + threads[0] * (y + threads[1] * z);
        if (number >= m_machine.limits.warpSize) continue;
        lane.lane = static_cast<int>(number);
        const std::array<double, 3> at{static_cast<double>(x), static_cast<double>(y),
                                       static_cast<double>(z)};
        double byte = first;
        for (std::size_t d = 0; d < cost::kBlockDims; ++d)
          byte += at[d] * access.strides[d];
        // A stride may be an average, and the address then lies inside an element. It is rounded
        // down to the element's first byte.
        lane.byte = static_cast<std::int64_t>(std::floor(isGlobal ? byte + kRounding : byte));
        if (isGlobal) lane.byte = floorOf(lane.byte, pattern.elementBytes) * pattern.elementBytes;
        for (std::size_t i = 0; i < here.size(); ++i)
          lane.at.push_back(here[i].min + static_cast<std::int64_t>(
                                              std::floor(at[0] * steps[0][i] + at[1] * steps[1][i] +
                                                         at[2] * steps[2][i] + kRounding)));
        pattern.lanes.push_back(std::move(lane));
      }
}

} // namespace tessera::block
