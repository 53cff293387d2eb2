// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_moves.h"

#include "engine/search/beam/point_counts.h"
#include "engine/pipeline/measures.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/search/kernels/expression_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::Stage;
using pipeline::StageId;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;

namespace {

// The estimated size of a func, by dimension.
BeamSizes extentsOf(const pipeline::Pipeline &pipeline, FuncId func) {
  const Stage &stage = pipeline.stagesOf(func).front();
  BeamSizes extents(stage.loops.size(), 1);
  for (const pipeline::LoopDim &loop : stage.loops)
    extents[*loop.argument] = loop.range.extent();
  return extents;
}

// Inlining repeats no work: one stage, of which each point of the consumer reads one point.
bool isAlwaysInlined(const pipeline::Pipeline &pipeline, FuncId func) {
  return schedule::isTrivial(pipeline, func);
}

} // namespace

BeamMoves::BeamMoves(const Schedule &start, const Schedule &anew, const std::set<FuncId> &kept,
                     const machine::Machine &machine, const BeamParameters &parameters,
                     BeamCost &cost)
    : m_start(start), m_pipeline(start.pipeline()), m_kept(kept), m_machine(machine),
      m_parameters(parameters), m_cost(cost), m_frozen(start), m_legality(m_machine) {
  BeamState state{.schedule = anew, .kernels = {}, .costs = {}, .tiles = {}};
  const std::size_t count = m_pipeline->funcs().size();
  state.costs.resize(count);
  state.tiles.resize(count, BeamState::kUntiled);
  const schedule::Bounds bounds(anew);
  for (std::uint32_t f = 0; f < count; ++f) {
    const FuncId func{f};
    state.kernels.push_back(anew.plan(func).isInline() ? func : bounds.of(func).kernel);
    if (kept.contains(func) || m_pipeline->func(func).externCall) continue;
    m_order.push_back(func);
    if (m_frozen.contains(func)) continue;
    FuncPlan plan;
    plan.layout = anew.plan(func).layout;
    for (const Stage &stage : m_pipeline->stagesOf(func))
      plan.stages.push_back(untiledStage(stage));
    Schedule untiled = state.schedule;
    untiled.set(func, std::move(plan));
    if (m_legality.isLegal(untiled)) state.schedule = std::move(untiled);
  }
  std::ranges::reverse(m_order);
  m_initial = std::make_shared<const BeamState>(std::move(state));
}

bool BeamMoves::isCheap(FuncId func) const {
  const Stage &stage = m_pipeline->stagesOf(func).front();
  return static_cast<double>(pipeline::operationCount(stage) + pipeline::loadCount(stage)) <=
         m_parameters.cheap;
}

// The kernels that read a func, or that it is a part of.
std::set<FuncId> BeamMoves::kernelsAround(const BeamState &state, FuncId func) const {
  std::set<FuncId> outputs;
  for (const StageId reader : otherReadersOf(state.schedule, func))
    outputs.insert(state.kernels[index(m_pipeline->stage(reader).func)]);
  return outputs;
}

std::vector<BeamOption> BeamMoves::places(const BeamState &state, FuncId func, BeamSpace space) {
  const pipeline::Func &of = m_pipeline->func(func);
  const auto optionFor = [](BeamPlace place, std::uint32_t anchor = 0) {
    BeamOption option;
    option.place = place;
    option.shape = FuncShape{place, anchor, {}, {}, {}, 0};
    return option;
  };
  const bool mayInline = schedule::mayBeInlined(*m_pipeline, func) &&
                         std::ranges::all_of(kernelsAround(state, func),
                                             [this](FuncId output) { return isOpen(output); });
  // Always inlined, if nothing that is frozen forbids it.
  if (mayInline && isAlwaysInlined(*m_pipeline, func) && !m_frozen.contains(func))
    return {optionFor(BeamPlace::Inline)};
  std::vector<BeamOption> options{optionFor(BeamPlace::Root)};
  if (of.staysAtRoot()) return options;
  if (mayInline) options.push_back(optionFor(BeamPlace::Inline));
  if (space == BeamSpace::RootOrInline) return options;
  const BeamPlaces places =
      placesOf(state.schedule, func, [this](FuncId output) { return isOpen(output); });
  if (places.thread)
    options.push_back(
        optionFor(BeamPlace::Thread, static_cast<std::uint32_t>(index(places.thread->stage))));
  if (places.block) addBlockOptions(state, func, places, options);
  return options;
}

// How large a func is in each block.
BeamSizes BeamMoves::extentsIn(const BeamState &state, FuncId func, const BeamPlaces &places) {
  Schedule schedule = state.schedule;
  FuncPlan plan;
  plan.compute = *places.block;
  for (const Stage &stage : m_pipeline->stagesOf(func))
    plan.stages.push_back({schedule::plainNest(stage)});
  schedule.set(func, std::move(plan));
  std::vector<FuncId> funcs =
      state.funcsOf(state.kernels[index(m_pipeline->stage(*places.anchor).func)]);
  funcs.insert(std::ranges::lower_bound(funcs, func), func);
  const schedule::Bounds &bounds = m_room.measure(schedule, funcs);
  const Stage &stage = m_pipeline->stagesOf(func).front();
  const auto dims = bounds.of(m_pipeline->func(func).firstStage).dims;
  BeamSizes extents(stage.loops.size(), 1);
  for (std::size_t l = 0; l < stage.loops.size(); ++l)
    extents[*stage.loops[l].argument] = dims[l];
  return extents;
}

// What is stored in a block gets its tile with its place.
void BeamMoves::addBlockOptions(const BeamState &state, FuncId func, const BeamPlaces &places,
                                std::vector<BeamOption> &options) {
  const BeamSizes extents = extentsIn(state, func, places);
  std::vector<BeamOption> primary, secondary;
  for (BeamSizes &serial : serialSizes(extents, m_parameters)) {
    const BeamSizes threads = outsideOf(extents, serial);
    const std::int64_t inBlock = productOf(threads);
    if (inBlock > m_machine.limits.threadsPerBlock) continue;
    BeamOption option;
    option.place = BeamPlace::Block;
    option.shape = {BeamPlace::Block,
                    static_cast<std::uint32_t>(index(*places.anchor)),
                    {},
                    threads,
                    serial,
                    innermostDimension(threads)};
    option.serial = std::move(serial);
    (idleLanes(inBlock) <= m_parameters.idleLanes ? primary : secondary)
        .push_back(std::move(option));
  }
  for (BeamOption &option : primary.empty() ? secondary : primary)
    options.push_back(std::move(option));
}

const std::vector<BeamOption> &BeamMoves::tiles(FuncId func) {
  const auto [known, isNew] = m_tileOptions.try_emplace(func);
  if (!isNew) return known->second;
  const BeamSizes extents = extentsOf(*m_pipeline, func);
  const std::vector<BeamTile> &tiles = m_tiles[func] = rootTiles(extents, m_parameters, m_machine);
  for (std::uint32_t t = 0; t < tiles.size(); ++t) {
    BeamOption option;
    option.phase = BeamOption::Phase::Tile;
    option.tile = t;
    option.shape = {
        BeamPlace::Root,   0, blocksOf(extents, tiles[t]), tiles[t].threads, tiles[t].serial,
        tiles[t].innermost};
    known->second.push_back(std::move(option));
  }
  return known->second;
}

std::optional<FuncPlan> BeamMoves::planOf(const BeamState &state, FuncId func,
                                          const BeamOption &option, BeamTails tails) {
  FuncPlan plan;
  plan.layout = state.schedule.plan(func).layout;
  const auto stages = m_pipeline->stagesOf(func);
  if (option.phase == BeamOption::Phase::Tile) {
    for (const Stage &stage : stages)
      plan.stages.push_back(rootStage(stage, m_tiles.at(func)[option.tile], m_parameters,
                                      stages.size() == 1 ? tails : BeamTails::Guarded));
    return plan;
  }
  if (option.place == BeamPlace::Inline) {
    plan.compute = Place::inlined();
    for (const Stage &stage : stages)
      plan.stages.push_back({schedule::plainNest(stage)});
    return plan;
  }
  const BeamPlaces places =
      placesOf(state.schedule, func, [this](FuncId output) { return isOpen(output); });
  const auto &place = option.place == BeamPlace::Block ? places.block : places.thread;
  if (!place) return std::nullopt;
  plan.compute = *place;
  for (const Stage &stage : stages)
    plan.stages.push_back({schedule::plainNest(stage)});
  Schedule placed = state.schedule;
  placed.set(func, plan);
  std::vector<FuncId> funcs =
      state.funcsOf(state.kernels[index(m_pipeline->stage(*places.anchor).func)]);
  funcs.insert(std::ranges::lower_bound(funcs, func), func);
  const schedule::Bounds &bounds = m_room.measure(placed, funcs);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const auto id = static_cast<StageId>(index(m_pipeline->func(func).firstStage) + s);
    const auto extents = bounds.of(id).dims;
    plan.stages[s] = option.place == BeamPlace::Thread
                         ? threadStage(stages[s], extents)
                         : blockStage(stages[s], extents, option.serial, m_parameters,
                                      stages.size() == 1 ? tails : BeamTails::Guarded);
  }
  return plan;
}

// The schedule with a choice, with tails that our rules allow. Nothing if there are none.
std::optional<Schedule> BeamMoves::written(const BeamState &state, FuncId func,
                                           const BeamOption &option) {
  if (option.phase == BeamOption::Phase::Place && option.place == BeamPlace::Root) {
    if (const Place *frozen = m_frozen.place(func); frozen && *frozen != Place::root())
      return std::nullopt;
    return state.schedule;
  }
  std::optional<FuncPlan> before;
  for (const BeamTails tails : {BeamTails::Shifted, BeamTails::Guarded}) {
    auto plan = planOf(state, func, option, tails);
    if (!plan || plan == before) return std::nullopt;
    before = plan;
    Schedule schedule = state.schedule;
    if (!m_frozen.setHeld(schedule, func, std::move(*plan))) continue;
    if (m_legality.isLegal(schedule) && (m_frozen.empty() || keepsFrozen(m_start, schedule)))
      return schedule;
  }
  return std::nullopt;
}

// Section 6.6.
bool BeamMoves::isPruned(const Schedule &schedule, FuncId func, const BeamOption &option,
                         std::span<const FuncId> funcs) {
  const schedule::Bounds &bounds = m_room.measure(schedule, funcs);
  PointCounts counts(schedule, bounds);
  if (counts.of(func) > m_parameters.recompute * PointCounts::least(*m_pipeline, func)) return true;
  if (option.place == BeamPlace::Inline) {
    ExpressionSizes sizes(schedule);
    return std::ranges::any_of(otherReadersOf(schedule, func),
                               [&](StageId reader) { return sizes.of(reader) > kMostOperations; });
  }
  if (option.place != BeamPlace::Thread) return false;
  std::int64_t points = 1;
  for (const std::int64_t extent : bounds.of(m_pipeline->func(func).firstStage).dims)
    points *= extent;
  const auto bytes = static_cast<double>(points * pipeline::elementBytes(m_pipeline->func(func)));
  return static_cast<double>(points) > m_parameters.mostUnrolled ||
         bytes > m_parameters.threadBytes;
}

// The state with a choice in the hash, and nothing changed in the schedule.
BeamState BeamMoves::decided(const BeamStatePtr &state, FuncId func, const BeamOption &option) {
  BeamState next = *state;
  next.parent = state;
  const HashTerms now = hashTerms(func, option.shape);
  HashTerms before{};
  if (option.phase == BeamOption::Phase::Tile)
    before = hashTerms(func, FuncShape{BeamPlace::Root, 0, {}, {}, {}, 0});
  for (std::size_t depth = 0; depth < now.size(); ++depth)
    next.hash[depth] += now[depth] - before[depth];
  return next;
}

BeamStatePtr BeamMoves::asItIs(const BeamStatePtr &state, FuncId func, const BeamOption &option) {
  BeamState next = decided(state, func, option);
  m_cost.find(next, std::array{func});
  next.sumCosts();
  return std::make_shared<const BeamState>(std::move(next));
}

// What a tile does to a kernel that nothing else is computed in yet, which is the same in all
// states. The artifact keeps such blocks too.
const BeamMoves::KnownKernel &BeamMoves::knownKernel(const BeamState &state, FuncId func,
                                                     const BeamOption &option) {
  const auto [known, isNew] = m_known.try_emplace({func, option.tile});
  if (!isNew) return known->second;
  const auto schedule = written(state, func, option);
  if (!schedule) return known->second;
  const double cost = m_cost.ofKernel(*schedule, func, std::array{func});
  if (std::isfinite(cost)) known->second = {schedule->plan(func), cost};
  return known->second;
}

BeamStatePtr BeamMoves::applied(const BeamStatePtr &state, FuncId func, const BeamOption &option) {
  BeamState next = decided(state, func, option);
  next.tiles[index(func)] = option.tile;
  if (option.place == BeamPlace::Root && !m_frozen.contains(func) &&
      state->funcsOf(func).size() == 1) {
    const KnownKernel &known = knownKernel(*state, func, option);
    if (!known.plan) return nullptr;
    next.schedule.set(func, *known.plan);
    next.costs[index(func)] = known.cost;
  } else {
    auto schedule = written(*state, func, option);
    if (!schedule) return nullptr;
    next.schedule = std::move(*schedule);
    if (!isEvaluated(next, *state, func, option)) return nullptr;
  }
  next.sumCosts();
  return std::make_shared<const BeamState>(std::move(next));
}

// Finds the costs of the kernels that a choice has changed. Returns whether the state is not
// pruned.
bool BeamMoves::isEvaluated(BeamState &next, const BeamState &before, FuncId func,
                            const BeamOption &option) {
  std::set<FuncId> changed{func};
  if (option.place != BeamPlace::Root) {
    changed = kernelsAround(before, func);
    next.kernels[index(func)] = option.place == BeamPlace::Inline ? func : *changed.begin();
    std::vector<FuncId> around;
    for (const FuncId output : changed)
      for (const FuncId one : next.funcsOf(output))
        around.push_back(one);
    std::ranges::sort(around);
    if (isPruned(next.schedule, func, option, around)) return false;
  }
  const std::vector<FuncId> outputs(changed.begin(), changed.end());
  m_cost.find(next, outputs);
  return std::ranges::all_of(
      outputs, [&](FuncId output) { return std::isfinite(next.costs[index(output)]); });
}

} // namespace tessera::search
