// SPDX-License-Identifier: MIT
#include "engine/schedule/text/decision_text.h"

#include "engine/schedule/text/call_text.h"
#include "engine/schedule/directives/loop_names.h"

#include <algorithm>
#include <set>

namespace tessera::schedule {

using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::array<std::string_view, kDecisionColumns> kColumns{
    "compute", "store", "memory",    "tile",  "loops",    "unroll",
    "vector",  "tails", "reduction", "other", "registers"};
constexpr std::string_view kBetween = " · ";

void append(std::string &text, std::string_view separator, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty()) text += separator;
  text += more;
}

// "specialize(c).split(x, xo, xi, 8).vectorize(xi)". Variants within a variant are in brackets.
std::string callText(const OpaqueDirective &opaque) {
  std::string text = plainCallText({{}, 0, opaque.verb, opaque.arguments, {}});
  for (const OpaqueDirective &call : opaque.calls) {
    const std::string inside = callText(call);
    text += call.verb == Verb::Specialize ? "[." + inside + "]" : "." + inside;
  }
  const bool isPlain = std::ranges::all_of(
      opaque.calls, [](const OpaqueDirective &call) { return call.verb == Verb::Specialize; });
  if (opaque.hasOwnLoops && isPlain) text += " with plain loops";
  return text;
}

// The opaque directives of a stage, as Halide's calls.
std::string callsText(const StagePlan &plan) {
  std::string text;
  for (const OpaqueDirective &opaque : plan.opaque)
    append(text, kBetween, callText(opaque));
  return text;
}

template <typename Part>
std::string ofSplits(const LoopNest &nest, std::uint16_t axis, Part part) {
  std::string text;
  if (axis < nest.axes.size())
    for (const Split &split : nest.axes[axis].splits)
      append(text, ", ", part(split));
  return text.empty() ? "none" : text;
}

// The cells of the table for one stage.
class Cells {
public:
  Cells(const Schedule &schedule, StageId id)
      : m_schedule(schedule), m_stage(schedule.pipeline()->stage(id)),
        m_plan(schedule.plan(m_stage.func)), m_stagePlan(m_plan.stages[m_stage.index]),
        m_nest(m_stagePlan.nest) {}

  std::string text(DecisionColumn column) const {
    const bool isFirst = m_stage.index == 0; // only the first row of a func shows its place
    if (m_schedule.pipeline()->func(m_stage.func).externCall)
      return column == DecisionColumn::Compute ? "extern call" : "";
    if (column == DecisionColumn::Compute) return isFirst ? textOf(m_schedule, m_plan.compute) : "";
    if (m_plan.isInline()) return {};
    switch (column) {
    case DecisionColumn::Store:
      return isFirst ? store() : "";
    case DecisionColumn::Memory:
      return isFirst ? std::string(name(m_plan.storage)) : "";
    case DecisionColumn::Tile:
      return tile();
    case DecisionColumn::Loops:
      return loops();
    case DecisionColumn::Unroll:
      return counted(LoopKind::Unrolled);
    case DecisionColumn::Vector:
      return counted(LoopKind::Vectorized);
    case DecisionColumn::Tails:
      return tails();
    case DecisionColumn::Reduction:
      return reduction();
    case DecisionColumn::Other:
      return other(isFirst);
    default:
      return {};
    }
  }

private:
  // "x", or "x+y" where loops are fused.
  std::string nameOf(std::uint16_t axis) const {
    if (axis < m_stage.loops.size()) return m_stage.loops[axis].name;
    std::string fused;
    for (const LoopRef ref : m_nest.axes[axis].fused)
      append(fused, "+", nameOf(ref.axis));
    return fused;
  }

  // The number of iterations of a part of an axis; the part must not be the outermost.
  std::int64_t factor(LoopRef ref) const {
    const Axis &axis = m_nest.axes[ref.axis];
    const std::int64_t inside = std::max<std::int64_t>(1, axis.inside(ref.part));
    return std::max<std::int64_t>(1, axis.inside(ref.part - 1U) / inside);
  }

  std::string store() const {
    std::string text;
    if (m_plan.store) text = textOf(m_schedule, *m_plan.store);
    if (m_plan.hoist) append(text, kBetween, "allocated " + textOf(m_schedule, *m_plan.hoist));
    return text;
  }

  std::string tile() const {
    std::string text;
    for (std::uint16_t a = 0; a < m_nest.axes.size(); ++a) {
      std::string parts;
      for (std::uint16_t p = 1; p < m_nest.axes[a].parts(); ++p)
        append(parts, "×", std::to_string(factor({a, p})));
      if (!parts.empty()) append(text, kBetween, nameOf(a) + " " + parts);
    }
    return text;
  }

  // Adjacent loops of one kind are grouped.
  std::string loops() const {
    std::string text;
    std::optional<LoopKind> last;
    for (auto loop = m_nest.loops.rbegin(); loop != m_nest.loops.rend(); ++loop) {
      if (loop->kind != last) append(text, kBetween, name(loop->kind));
      text += " " + nameOf(loop->ref.axis);
      last = loop->kind;
    }
    if (m_nest.singleThread) append(text, kBetween, "one thread");
    return text;
  }

  std::string counted(LoopKind kind) const {
    std::string text;
    for (auto loop = m_nest.loops.rbegin(); loop != m_nest.loops.rend(); ++loop)
      if (loop->kind == kind)
        append(text, kBetween,
               nameOf(loop->ref.axis) +
                   (loop->ref.part == 0 ? " whole" : " " + std::to_string(factor(loop->ref))));
    return text;
  }

  std::string tails() const {
    std::string text;
    std::set<Tail> all;
    for (const Axis &axis : m_nest.axes)
      for (const Split &split : axis.splits)
        all.insert(split.tail);
    if (all.size() == 1) return std::string(name(*all.begin()));
    for (std::uint16_t a = 0; a < m_nest.axes.size(); ++a) {
      std::string parts;
      for (const Split &split : m_nest.axes[a].splits)
        append(parts, ", ", name(split.tail));
      if (!parts.empty()) append(text, kBetween, nameOf(a) + " " + parts);
    }
    return text;
  }

  std::string reduction() const {
    if (m_stage.index == 0) return {};
    std::string text = m_stagePlan.atomic == Atomic::No       ? "in turn"
                       : m_stagePlan.atomic == Atomic::Proven ? "atomic"
                                                              : "atomic, trusted";
    if (m_stagePlan.allowRaces) text += ", races allowed";
    return text;
  }

  std::string other(bool isFirst) const {
    std::string text;
    if (isFirst && !m_plan.layout.empty()) {
      std::string dims;
      for (const std::uint16_t dim : m_plan.layout)
        append(dims, " ", std::to_string(dim));
      append(text, kBetween, "layout " + dims);
    }
    if (isFirst) append(text, kBetween, storageDims());
    if (isFirst && !m_plan.bounds.empty()) append(text, kBetween, "bounded");
    if (m_stagePlan.computeWith)
      append(text, kBetween,
             "with " + textOf(m_schedule, Place::at(m_stagePlan.computeWith->stage,
                                                    m_stagePlan.computeWith->loop))
                           .substr(3)); // without its "at "
    if (m_stagePlan.neverPartition) append(text, kBetween, "not partitioned");
    append(text, kBetween, callsText(m_stagePlan));
    return text;
  }

  std::string storageDims() const {
    std::string text;
    for (std::size_t d = 0; d < m_plan.storageDims.size(); ++d) {
      const StorageDim &dim = m_plan.storageDims[d];
      const auto say = [&](std::string_view what, std::int64_t value) {
        if (value != 0)
          append(text, kBetween,
                 std::string(what) + " " + std::to_string(d) + ": " + std::to_string(value));
      };
      say("aligned", dim.alignment);
      say("at most", dim.bound);
      say("folded", dim.fold);
    }
    return text;
  }

  const Schedule &m_schedule;
  const Stage &m_stage;
  const FuncPlan &m_plan;
  const StagePlan &m_stagePlan;
  const LoopNest &m_nest;
};

std::vector<DecisionKind> kindsIn(DecisionColumn column) {
  switch (column) {
  case DecisionColumn::Compute:
    return {DecisionKind::Compute};
  case DecisionColumn::Store:
    return {DecisionKind::Store, DecisionKind::Hoist};
  case DecisionColumn::Memory:
    return {DecisionKind::Storage};
  case DecisionColumn::Tile:
    return {DecisionKind::Factors};
  case DecisionColumn::Loops:
    return {DecisionKind::Fusion, DecisionKind::Order};
  case DecisionColumn::Unroll:
  case DecisionColumn::Vector:
    return {DecisionKind::Order};
  case DecisionColumn::Tails:
    return {DecisionKind::Tails};
  case DecisionColumn::Reduction:
    return {DecisionKind::Reduction};
  case DecisionColumn::Other:
    return {DecisionKind::Layout, DecisionKind::Bounds, DecisionKind::ComputeWith,
            DecisionKind::Opaque};
  case DecisionColumn::Registers:
    break; // the register cap belongs to the whole schedule
  }
  return {};
}

bool isOfAxis(DecisionKind kind) {
  return kind == DecisionKind::Factors || kind == DecisionKind::Tails;
}

StageId stageOf(const Schedule &schedule, const DecisionKey &decision) {
  return static_cast<StageId>(index(schedule.pipeline()->func(decision.func).firstStage) +
                              decision.stage);
}

} // namespace

std::string textOf(const Schedule &schedule, const Place &place) {
  if (place.kind == Place::Kind::Inline) return "inline";
  if (place.kind == Place::Kind::Root) return "own kernel";
  const LoopNest &nest = schedule.plan(place.stage).nest;
  const std::string where = "at " + schedule.pipeline()->stageName(place.stage);
  if (!nest.find(place.loop)) return where;
  const LoopNames names(schedule.pipeline()->stage(place.stage), nest);
  return where + ": " + names.of(place.loop).name;
}

std::string_view wordFor(DecisionKind kind) {
  switch (kind) {
  case DecisionKind::Compute:
    return "compute place";
  case DecisionKind::Store:
    return "store place";
  case DecisionKind::Hoist:
    return "place of allocation";
  case DecisionKind::Factors:
    return "tile";
  case DecisionKind::Fusion:
    return "fused loops";
  case DecisionKind::Order:
    return "loops";
  case DecisionKind::ComputeWith:
    return "shared loops";
  case DecisionKind::Opaque:
    return "opaque directives";
  case DecisionKind::RegisterCap:
    return "register cap";
  default:
    return name(kind);
  }
}

std::string subjectOf(const Schedule &schedule, const DecisionKey &decision) {
  std::string text(wordFor(decision.kind));
  if (decision.kind >= DecisionKind::RegisterCap) return text;
  const StageId id = stageOf(schedule, decision);
  const Stage &stage = schedule.pipeline()->stage(id);
  text += " of " + schedule.pipeline()->stageName(id);
  if (isOfAxis(decision.kind) && decision.axis < stage.loops.size())
    text += " along " + stage.loops[decision.axis].name;
  return text;
}

std::string valueOf(const Schedule &schedule, const DecisionKey &decision) {
  if (decision.kind == DecisionKind::RegisterCap)
    return std::to_string(schedule.settings().registerCap);
  if (decision.kind == DecisionKind::Promises) return {};
  const FuncPlan &plan = schedule.plan(decision.func);
  const LoopNest &nest = plan.stages[decision.stage].nest;
  switch (decision.kind) {
  case DecisionKind::Compute:
    return textOf(schedule, plan.compute);
  case DecisionKind::Store:
    return plan.store ? textOf(schedule, *plan.store) : "where it is computed";
  case DecisionKind::Storage:
    return std::string(name(plan.storage));
  case DecisionKind::Factors:
    return ofSplits(nest, decision.axis,
                    [](const Split &split) { return std::to_string(split.factor); });
  case DecisionKind::Tails:
    return ofSplits(nest, decision.axis,
                    [](const Split &split) { return std::string(name(split.tail)); });
  case DecisionKind::Opaque:
    return callsText(plan.stages[decision.stage]);
  default:
    return {};
  }
}

std::string_view name(DecisionColumn column) { return kColumns[static_cast<std::size_t>(column)]; }

std::string cellText(const Schedule &schedule, StageId stage, DecisionColumn column) {
  return Cells(schedule, stage).text(column);
}

std::string settingText(const Schedule &schedule, DecisionColumn column) {
  if (column == DecisionColumn::Registers) return std::to_string(schedule.settings().registerCap);
  if (column == DecisionColumn::Other && !schedule.settings().promises.empty())
    return std::to_string(schedule.settings().promises.size()) + " promises";
  return {};
}

std::vector<DecisionKey> decisionsIn(const Schedule &schedule, StageId id, DecisionColumn column) {
  const Stage &stage = schedule.pipeline()->stage(id);
  const FuncPlan &plan = schedule.plan(stage.func);
  std::vector<DecisionKey> decisions;
  for (const DecisionKind kind : kindsIn(column)) {
    const bool isOfFunc = kind <= DecisionKind::Bounds;
    if ((isOfFunc && stage.index != 0) || (plan.isInline() && kind != DecisionKind::Compute))
      continue;
    if (kind == DecisionKind::Reduction && stage.index == 0) continue;
    const std::size_t axes = isOfAxis(kind) ? plan.stages[stage.index].nest.axes.size() : 1;
    for (std::uint16_t axis = 0; axis < axes; ++axis)
      decisions.push_back({stage.func, stage.index, kind, axis});
  }
  return decisions;
}

std::vector<DecisionKey> settingsIn(DecisionColumn column) {
  if (column == DecisionColumn::Registers) return {{{}, 0, DecisionKind::RegisterCap, 0}};
  if (column == DecisionColumn::Other) return {{{}, 0, DecisionKind::Promises, 0}};
  return {};
}

std::vector<DecisionKey> decisionsOf(const Schedule &schedule, std::optional<StageId> stage) {
  std::vector<DecisionKey> decisions;
  // An update is computed where its func is.
  if (const Stage *update = stage ? &schedule.pipeline()->stage(*stage) : nullptr;
      update && update->index > 0)
    decisions.push_back({update->func, 0, DecisionKind::Compute, 0});
  for (int c = 0; c < kDecisionColumns; ++c) {
    const auto column = static_cast<DecisionColumn>(c);
    for (const DecisionKey &key :
         stage ? decisionsIn(schedule, *stage, column) : settingsIn(column))
      if (std::ranges::find(decisions, key) == decisions.end()) decisions.push_back(key);
  }
  return decisions;
}

std::vector<OpaqueCall> opaqueCalls(const Schedule &schedule) {
  std::vector<OpaqueCall> calls;
  for (std::uint32_t s = 0; s < schedule.pipeline()->stages().size(); ++s)
    for (const OpaqueDirective &opaque : schedule.plan(StageId{s}).opaque)
      calls.push_back({StageId{s}, callText(opaque)});
  return calls;
}

std::size_t frozenAmong(const Schedule &schedule, std::span<const DecisionKey> decisions) {
  return static_cast<std::size_t>(std::ranges::count_if(
      decisions, [&](const DecisionKey &key) { return schedule.mark(key).frozen; }));
}

} // namespace tessera::schedule
