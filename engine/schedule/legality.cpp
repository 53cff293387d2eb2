// SPDX-License-Identifier: MIT
#include "engine/schedule/legality.h"

#include "engine/schedule/rules.h"

#include <algorithm>
#include <array>

namespace tessera::schedule {

namespace {

constexpr std::array<std::string_view, kRules> kNames{
    "nest_whole",           "factor_divides",
    "output_at_root",       "inline_is_pure",
    "place_exists",         "place_encloses",
    "place_between_blocks", "vector_innermost",
    "bounded_in_kernel",    "store_apart",
    "host_loop_in_kernel",  "blocks_in_kernel",
    "threads_in_thread",    "threads_without_blocks",
    "blocks_outermost",     "lanes_innermost",
    "block_dimensions",     "thread_dimensions",
    "threads_per_block",    "grid_limit",
    "constant_extent",      "unroll_size",
    "vector_width",         "vector_tail",
    "storage_depth",        "shared_memory",
    "shared_reuse",         "local_memory",
    "frame_alignment",      "parallel_reduction",
    "atomic_type",          "atomic_proof",
    "reduction_order",      "tail_overruns",
    "register_cap"};

// ptxas takes no cap below 16; above 255 there are no registers to have.
constexpr int kLeastCap = 16;

void checkSettings(const RuleContext &context) {
  const int cap = context.schedule.settings().registerCap;
  if (cap < kLeastCap || cap > context.limits.registersPerThread)
    context.refuse(Rule::RegisterCap, pipeline::FuncId{}, DecisionKind::RegisterCap,
                   "a register cap of " + std::to_string(cap),
                   std::to_string(kLeastCap) + " to " +
                       std::to_string(context.limits.registersPerThread));
}

} // namespace

std::vector<std::size_t> following(const pipeline::Edge &edge, std::uint32_t loop) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < edge.maps.size(); ++d)
    for (const pipeline::IndexMap &map : edge.maps[d])
      for (const pipeline::Atom &atom : map.atoms)
        if (!atom.clamp.bounded() &&
            std::ranges::find(atom.terms, loop, &pipeline::AffineTerm::loop) != atom.terms.end())
          dims.push_back(d);
  return dims;
}

void RuleContext::ask(pipeline::FuncId outer) const {
  if (!m_readsInput.empty() && m_outer == outer) return;
  m_readsInput.assign(pipeline.funcs().size(), {});
  m_outer = outer;
}

bool RuleContext::readsInput(pipeline::StageId id, std::uint32_t loop) const {
  const pipeline::FuncId outer = pipeline.stage(id).func;
  ask(outer);
  return readsInputFor(outer, id, loop);
}

bool RuleContext::readsInputAhead(pipeline::StageId id, std::uint32_t loop) const {
  const pipeline::FuncId outer = pipeline.stage(id).func;
  const LoopNest &nest = schedule.plan(id).nest;
  ask(outer);
  for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = pipeline.edge(into);
    const pipeline::FuncId from{edge.producer.index};
    if (edge.producer.kind == pipeline::Producer::Kind::Input || from == outer) continue;
    const Place &place = schedule.plan(from).compute;
    if (place.kind != Place::Kind::At || place.stage != id) continue;
    const auto around = nest.find(place.loop);
    const auto inside = nest.find({static_cast<std::uint16_t>(loop), 0});
    if (!around || !inside || *inside >= *around) continue;
    for (const std::size_t dim : following(edge, loop))
      if (inputsReadBy(outer, edge.producer.index)[dim]) return true;
  }
  return false;
}

bool RuleContext::readsInputFor(pipeline::FuncId outer, pipeline::StageId id,
                                std::uint32_t loop) const {
  for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = pipeline.edge(into);
    const pipeline::FuncId from{edge.producer.index};
    const bool isInput = edge.producer.kind == pipeline::Producer::Kind::Input;
    const bool isFor = !isInput && from != pipeline.stage(id).func && isComputedFor(outer, from);
    for (const std::size_t dim : following(edge, loop)) {
      if (isInput || (isFor && inputsReadBy(outer, edge.producer.index)[dim])) return true;
      const pipeline::Func &producer = pipeline.func(from);
      if (producer.isBounded(producer.args[dim])) return true;
    }
  }
  return false;
}

bool RuleContext::isComputedFor(pipeline::FuncId outer, pipeline::FuncId producer) const {
  if (schedule.plan(producer).isInline()) return true;
  for (Place place = schedule.plan(producer).compute; place.kind == Place::Kind::At;) {
    const pipeline::FuncId around = pipeline.stage(place.stage).func;
    if (around == outer) return true;
    place = schedule.plan(around).compute;
  }
  return false;
}

// By dimension of a func, in all of its stages.
const std::vector<bool> &RuleContext::inputsReadBy(pipeline::FuncId outer, std::uint32_t id) const {
  const pipeline::Func &func = pipeline.func(pipeline::FuncId{id});
  if (m_readsInput[id].empty()) {
    std::vector<bool> reads(func.args.size());
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<pipeline::StageId>(index(func.firstStage) + s);
      const std::vector<pipeline::LoopDim> &loops = pipeline.stage(stage).loops;
      for (std::uint32_t l = 0; l < loops.size(); ++l) {
        if (loops[l].argument && readsInputFor(outer, stage, l)) reads[*loops[l].argument] = true;
      }
    }
    m_readsInput[id] = std::move(reads);
  }
  return m_readsInput[id];
}

std::string_view name(Rule rule) { return kNames[static_cast<std::size_t>(rule)]; }

std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine) {
  std::vector<Violation> violations;
  const RuleContext context(schedule, machine.limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (!violations.empty()) return violations;
  const Shape shape(schedule);
  checkPlaces(context, shape);
  checkNests(context, shape);
  checkReductions(context, shape);
  const KeptStorage kept(schedule, shape);
  checkKernels(context, shape, kept);
  checkShared(context, shape);
  checkFrames(context, shape, kept);
  return violations;
}

bool isSound(const Schedule &schedule) {
  std::vector<Violation> violations;
  checkStructure(RuleContext(schedule, {}, violations));
  return violations.empty();
}

bool isLegal(const Schedule &schedule, const machine::Machine &machine) {
  return check(schedule, machine).empty();
}

} // namespace tessera::schedule
