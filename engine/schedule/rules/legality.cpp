// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/legality.h"

#include "engine/schedule/rules/rules.h"

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

} // namespace

void checkSettings(const RuleContext &context) {
  const int cap = context.schedule.settings().registerCap;
  if (cap < kLeastCap || cap > context.limits.registersPerThread)
    context.refuse(Rule::RegisterCap, pipeline::FuncId{}, DecisionKind::RegisterCap,
                   "a register cap of " + std::to_string(cap),
                   std::to_string(kLeastCap) + " to " +
                       std::to_string(context.limits.registersPerThread));
}

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

pipeline::StageId stageInThreads(const RuleContext &context, const Bounds &bounds,
                                 pipeline::FuncId func) {
  const auto owner = [&](pipeline::StageId stage) { return context.pipeline.stage(stage).func; };
  pipeline::StageId around = context.schedule.plan(func).storePlace().stage;
  while (bounds.of(owner(around)).depth == Depth::Thread)
    around = context.schedule.plan(owner(around)).compute.stage;
  return around;
}

pipeline::StageId stageOnHost(const RuleContext &context, const Bounds &bounds,
                              pipeline::StageId stage) {
  const auto owner = [&] { return context.pipeline.stage(stage).func; };
  while (bounds.of(owner()).depth != Depth::Host)
    stage = context.schedule.plan(owner()).compute.stage;
  return stage;
}

void RuleContext::askAbout(pipeline::FuncId outer) const {
  if (!m_readsInput.empty() && m_outer == outer) return;
  m_readsInput.resize(pipeline.funcs().size());
  for (const pipeline::FuncId func : m_answered)
    m_readsInput[index(func)].clear();
  m_answered.clear();
  m_outer = outer;
}

bool RuleContext::readsInput(pipeline::StageId id, std::uint32_t loop) const {
  askAbout(pipeline.stage(id).func);
  return readsInputInside(id, loop);
}

bool RuleContext::readsInputAhead(pipeline::StageId id, std::uint32_t loop) const {
  askAbout(pipeline.stage(id).func);
  const LoopNest &nest = schedule.plan(id).nest;
  const auto inside = nest.find({static_cast<std::uint16_t>(loop), 0});
  if (!inside) return false;
  for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = pipeline.edge(into);
    if (edge.producer.kind == pipeline::Producer::Kind::Input) continue;
    const pipeline::FuncId producer{edge.producer.index};
    const Place &place = schedule.plan(producer).compute;
    if (place.kind != Place::Kind::At || place.stage != id) continue;
    const auto around = nest.find(place.loop);
    if (!around || *inside >= *around) continue;
    for (const std::size_t dim : following(edge, loop))
      if (inputsReadBy(producer)[dim]) return true;
  }
  return false;
}

bool RuleContext::readsInputInside(pipeline::StageId id, std::uint32_t loop) const {
  for (const pipeline::EdgeId into : pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = pipeline.edge(into);
    const bool isInput = edge.producer.kind == pipeline::Producer::Kind::Input;
    const pipeline::FuncId producer{edge.producer.index};
    const bool isInside =
        !isInput && producer != pipeline.stage(id).func && isComputedInside(producer);
    for (const std::size_t dim : following(edge, loop)) {
      if (isInput || (isInside && inputsReadBy(producer)[dim])) return true;
      const pipeline::Func &func = pipeline.func(producer);
      if (func.isBounded(func.args[dim])) return true;
    }
  }
  return false;
}

bool RuleContext::isComputedInside(pipeline::FuncId producer) const {
  if (schedule.plan(producer).isInline()) return true;
  for (Place place = schedule.plan(producer).compute; place.kind == Place::Kind::At;) {
    const pipeline::FuncId around = pipeline.stage(place.stage).func;
    if (around == m_outer) return true;
    place = schedule.plan(around).compute;
  }
  return false;
}

const std::vector<bool> &RuleContext::inputsReadBy(pipeline::FuncId id) const {
  std::vector<bool> &known = m_readsInput[index(id)];
  if (known.empty()) {
    const pipeline::Func &func = pipeline.func(id);
    std::vector<bool> reads(func.args.size());
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<pipeline::StageId>(index(func.firstStage) + s);
      const std::vector<pipeline::LoopDim> &loops = pipeline.stage(stage).loops;
      for (std::uint32_t l = 0; l < loops.size(); ++l) {
        if (loops[l].argument && readsInputInside(stage, l)) reads[*loops[l].argument] = true;
      }
    }
    known = std::move(reads);
    m_answered.push_back(id);
  }
  return known;
}

std::string_view name(Rule rule) { return kNames[static_cast<std::size_t>(rule)]; }

void checkMeasured(const RuleContext &context, const Bounds &bounds) {
  checkPlaces(context, bounds);
  checkNests(context, bounds);
  checkReductions(context, bounds);
  const KeptStorage kept(context.schedule, bounds, context.funcs);
  checkKernels(context, bounds, kept);
  checkShared(context, bounds, kept);
  checkFrames(context, bounds, kept);
}

std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine) {
  std::vector<Violation> violations;
  const std::vector<pipeline::FuncId> funcs = schedule.pipeline()->allFuncs();
  const RuleContext context(schedule, funcs, machine.limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (violations.empty()) checkMeasured(context, Bounds(schedule));
  return violations;
}

bool isSound(const Schedule &schedule) {
  std::vector<Violation> violations;
  const std::vector<pipeline::FuncId> funcs = schedule.pipeline()->allFuncs();
  checkStructure(RuleContext(schedule, funcs, {}, violations));
  return violations.empty();
}

bool isLegal(const Schedule &schedule, const machine::Machine &machine) {
  return check(schedule, machine).empty();
}

} // namespace tessera::schedule
