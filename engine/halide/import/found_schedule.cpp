// SPDX-License-Identifier: MIT
#include "engine/halide/import/found_schedule.h"

#include "engine/halide/import/extern_stages.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/promises.h"
#include "engine/halide/size_expressions.h"

#include "engine/schedule/text/call_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace tessera::halide {

namespace {

using Halide::LoopLevel;
using Halide::Internal::ForType;
using Halide::Internal::Function;
using schedule::Argument;
using schedule::FoundCalls;
using schedule::FuncName;
using schedule::Level;
using schedule::Verb;
namespace ir = Halide::Internal;

template <typename... Parts>
std::string text(const Parts &...parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// Halide names a split loop after its ancestors ("x.xo.xi"); C++ code uses only the last part.
std::string own(const std::string &name) {
  const auto dot = name.rfind('.');
  return dot == std::string::npos || dot + 1 == name.size() ? name : name.substr(dot + 1);
}

bool isOutermost(const std::string &name) {
  return own(name) == own(Halide::Var::outermost().name());
}

schedule::LoopName loop(const std::string &name, bool reduction) { return {own(name), reduction}; }

// Collects the scheduling calls found in one stage.
class Finder {
public:
  Finder(FoundCalls &found, const Function &function, std::uint32_t stage)
      : m_found(found), m_function(function), m_stage(stage) {}

  void add(Verb verb, std::vector<Argument> arguments = {}) {
    m_found.directives.push_back({m_function.name(), m_stage, verb, std::move(arguments), {}});
  }

  void addFunc() {
    const ir::FuncSchedule &schedule = m_function.schedule();
    addLevels(schedule);
    addStorage(schedule);
    for (const ir::Bound &bound : schedule.bounds())
      addBound(bound);
    addWrappers();
    if (schedule.memoized()) other("memoize()", Makes::NoLoops);
    if (schedule.async()) other("async()", Makes::NoLoops);
    if (schedule.ring_buffer().defined())
      other(text("ring_buffer(", schedule.ring_buffer(), ")"), Makes::Loops);
  }

  void addStage(const ir::Definition &definition) {
    const ir::StageSchedule &schedule = definition.schedule();
    std::vector<std::string> expected = defaultLoops(definition);
    for (const ir::ReductionVariable &variable : schedule.rvars())
      m_reduction.insert(variable.var);
    for (const ir::Split &split : schedule.splits())
      if (!isOfSingleThread(split)) addSplit(split, expected);
    addOrder(schedule, expected);
    for (const ir::Dim &dim : schedule.dims())
      if (!m_singleThread.contains(dim.var)) addMark(dim);
    if (!m_singleThread.empty()) add(Verb::GpuSingleThread);
    if (!schedule.fuse_level().level.is_inlined())
      addPlace(Verb::ComputeWith, Verb::ComputeWith, schedule.fuse_level().level);
    if (schedule.atomic())
      add(Verb::Atomic, {std::int64_t{schedule.override_atomic_associativity_test()}});
    if (schedule.allow_race_conditions()) add(Verb::AllowRaceConditions);
    for (const ir::PrefetchDirective &prefetch : schedule.prefetches())
      other(text("prefetch(", prefetch.name, ", ", prefetch.at, ", ", prefetch.from, ", ",
                 prefetch.offset, ")"),
            Makes::NoLoops);
    for (const ir::Specialization &special : definition.specializations())
      addVariant(special, definition);
  }

private:
  enum class Makes : std::uint8_t { Loops, NoLoops };

  void other(std::string call, Makes makes) {
    m_found.others.push_back({std::move(call), makes == Makes::Loops});
  }

  // A variant with the loops of the stage itself is a directive.
  void addVariant(const ir::Specialization &special, const ir::Definition &definition) {
    if (!special.failure_message.empty())
      return other(text("specialize_fail(\"", special.failure_message, "\")"), Makes::NoLoops);
    const auto condition = sizeExpressionOf(special.condition);
    if (condition && callsOf(special.definition) == callsOf(definition))
      return add(Verb::Specialize, {*condition});
    other(text("specialize(", special.condition, ")"), Makes::NoLoops);
  }

  // The calls that make the loops of a definition, without those of its variants.
  std::vector<schedule::Directive> callsOf(ir::Definition definition) const {
    FoundCalls found;
    ir::Definition alone = definition.get_copy();
    alone.specializations().clear();
    Finder(found, m_function, m_stage).addStage(alone);
    return found.directives;
  }

  void addPlace(Verb root, Verb at, const LoopLevel &level) {
    if (level.is_root()) return add(root);
    const Halide::VarOrRVar var = level.var();
    const int stage = level.get_stage_index();
    add(at, {Level{level.func(), stage < 0 ? 0 : static_cast<std::uint32_t>(stage),
                   loop(var.name(), var.is_rvar)}});
  }

  void addLevels(const ir::FuncSchedule &schedule) {
    const LoopLevel &compute = schedule.compute_level(), &store = schedule.store_level(),
                    &hoist = schedule.hoist_storage_level();
    if (!compute.is_inlined()) addPlace(Verb::ComputeRoot, Verb::ComputeAt, compute);
    if (!store.is_inlined() && store != compute) addPlace(Verb::StoreRoot, Verb::StoreAt, store);
    if (!hoist.is_inlined() && hoist != store && hoist != compute)
      addPlace(Verb::HoistStorageRoot, Verb::HoistStorage, hoist);
  }

  // Adds a directive if all values are constant, or sizes where the call takes them. Otherwise adds
  // the call only as text.
  void addNumbers(Verb verb, const std::string &dim, const std::vector<Halide::Expr> &values,
                  Makes makes) {
    schedule::Directive directive{m_function.name(), m_stage, verb, {loop(dim, false)}, {}};
    std::string printed = own(dim);
    for (const Halide::Expr &value : values) {
      if (const auto number = ir::as_const_int(ir::simplify(value)))
        directive.arguments.emplace_back(*number);
      else if (auto size = sizeExpressionOf(value))
        directive.arguments.emplace_back(std::move(*size));
      printed += text(", ", value);
    }
    if (directive.arguments.size() == values.size() + 1 && problemWith(directive).empty())
      m_found.directives.push_back(std::move(directive));
    else
      other(text(schedule::signature(verb).name, "(", printed, ")"), makes);
  }

  void addStorage(const ir::FuncSchedule &schedule) {
    if (schedule.memory_type() != Halide::MemoryType::Auto) {
      const std::string memory = text(schedule.memory_type());
      if (const auto storage = schedule::storageFromHalideName(memory))
        add(Verb::StoreIn, {*storage});
      else
        other("store_in(MemoryType::" + memory + ")", Makes::Loops);
    }
    std::vector<std::string> order;
    std::vector<Argument> loops;
    for (const ir::StorageDim &dim : schedule.storage_dims()) {
      order.push_back(dim.var);
      loops.emplace_back(loop(dim.var, false));
      if (dim.alignment.defined())
        addNumbers(Verb::AlignStorage, dim.var, {dim.alignment}, Makes::Loops);
      if (dim.bound.defined()) addNumbers(Verb::BoundStorage, dim.var, {dim.bound}, Makes::Loops);
      if (dim.fold_factor.defined())
        addNumbers(Verb::FoldStorage, dim.var, {dim.fold_factor}, Makes::Loops);
    }
    if (!order.empty() && order != m_function.args()) add(Verb::ReorderStorage, std::move(loops));
  }

  void addBound(const ir::Bound &bound) {
    if (bound.min.defined())
      addNumbers(Verb::Bound, bound.var, {bound.min, bound.extent}, Makes::NoLoops);
    else if (bound.extent.defined())
      addNumbers(Verb::BoundExtent, bound.var, {bound.extent}, Makes::NoLoops);
    if (bound.modulus.defined())
      addNumbers(Verb::AlignBounds, bound.var, {bound.modulus, bound.remainder}, Makes::NoLoops);
  }

  // A wrapper is not a func of the file, so its directives are listed with the func that it wraps.
  void addWrappers() {
    std::map<std::string, std::pair<Function, std::vector<Argument>>> wrappers;
    for (const auto &[consumer, pointer] : m_function.wrappers()) {
      const Function wrapper(pointer);
      auto &[function, consumers] =
          wrappers.try_emplace(wrapper.name(), wrapper, std::vector<Argument>()).first->second;
      if (!consumer.empty()) consumers.emplace_back(FuncName{consumer});
    }
    for (auto &[name, wrapper] : wrappers) {
      add(Verb::In, std::move(wrapper.second));
      m_found.directives.back().makes = name;
      const FoundCalls inside = foundStage(wrapper.first, 0);
      m_found.directives.insert(m_found.directives.end(), inside.directives.begin(),
                                inside.directives.end());
      m_found.others.insert(m_found.others.end(), inside.others.begin(), inside.others.end());
    }
  }

  std::vector<std::string> defaultLoops(const ir::Definition &definition) const {
    if (m_stage == 0) return m_function.args();
    std::vector<std::string> loops;
    for (const ir::ReductionVariable &variable : definition.schedule().rvars())
      loops.push_back(variable.var);
    for (std::size_t d = 0; d < m_function.args().size(); ++d) {
      const auto *variable = definition.args()[d].as<ir::Variable>();
      if (variable && variable->name == m_function.args()[d]) loops.push_back(variable->name);
    }
    return loops;
  }

  schedule::LoopName loopOf(const std::string &name) const {
    return loop(name, m_reduction.contains(name));
  }

  // gpu_single_thread() splits a block and a thread loop off Halide's outermost dummy loop.
  bool isOfSingleThread(const ir::Split &split) {
    if (!isOutermost(split.old_var)) return false;
    m_singleThread.insert(split.inner);
    return true;
  }

  // Replays a split on the list of loops, innermost first, which starts with the default loops.
  void addSplit(const ir::Split &split, std::vector<std::string> &loops) {
    const bool fuses = split.split_type == ir::Split::FuseVars;
    const auto at = std::find(loops.begin(), loops.end(), fuses ? split.inner : split.old_var);
    if (fuses) {
      const bool reduction = m_reduction.contains(split.inner) || m_reduction.contains(split.outer);
      if (reduction) m_reduction.insert(split.old_var);
      add(Verb::Fuse, {loopOf(split.inner), loopOf(split.outer), loopOf(split.old_var)});
      if (at != loops.end()) *at = split.old_var;
      std::erase(loops, split.outer);
    } else if (split.split_type == ir::Split::RenameVar) {
      if (m_reduction.contains(split.old_var)) m_reduction.insert(split.outer);
      other(text("rename(", own(split.old_var), ", ", own(split.outer), ")"), Makes::Loops);
      if (at != loops.end()) *at = split.outer;
    } else {
      if (m_reduction.contains(split.old_var)) {
        m_reduction.insert(split.outer);
        m_reduction.insert(split.inner);
      }
      const auto factor = ir::as_const_int(split.factor);
      const auto tail = schedule::tailFromHalideName(text(split.tail));
      if (factor && tail)
        add(Verb::Split,
            {loopOf(split.old_var), loopOf(split.outer), loopOf(split.inner), *factor, *tail});
      else
        other(text("split(", own(split.old_var), ", ", own(split.outer), ", ", own(split.inner),
                   ", ", split.factor, ")"),
              Makes::Loops);
      if (at == loops.end()) return;
      *at = split.outer;
      loops.insert(at, split.inner);
    }
  }

  void addOrder(const ir::StageSchedule &schedule, const std::vector<std::string> &expected) {
    std::vector<std::string> actual;
    std::vector<Argument> loops;
    for (const ir::Dim &dim : schedule.dims()) {
      if (isOutermost(dim.var) || m_singleThread.contains(dim.var)) continue;
      actual.push_back(dim.var);
      loops.emplace_back(loopOf(dim.var));
    }
    if (actual != expected) add(Verb::Reorder, std::move(loops));
  }

  void addMark(const ir::Dim &dim) {
    switch (dim.for_type) {
    case ForType::Parallel:
      return add(Verb::Parallel, {loopOf(dim.var)});
    case ForType::Vectorized:
      return add(Verb::Vectorize, {loopOf(dim.var)});
    case ForType::Unrolled:
      return add(Verb::Unroll, {loopOf(dim.var)});
    case ForType::GPUBlock:
      return add(Verb::GpuBlocks, {loopOf(dim.var)});
    case ForType::GPUThread:
      return add(Verb::GpuThreads, {loopOf(dim.var)});
    case ForType::GPULane:
      return add(Verb::GpuLanes, {loopOf(dim.var)});
    case ForType::Serial:
    case ForType::Extern:
      return;
    }
  }

  FoundCalls &m_found;
  const Function &m_function;
  std::uint32_t m_stage;
  std::set<std::string> m_reduction, m_singleThread; // loops, by Halide's names
};

// An extern stage and what it reads keep their layout: it is no decision (removeSchedule()).
bool isLayout(const schedule::Directive &directive) {
  return directive.verb == Verb::ReorderStorage || directive.verb == Verb::AlignStorage;
}

} // namespace

FoundCalls foundStage(const Function &function, int stage) {
  FoundCalls found;
  Finder finder(found, function, static_cast<std::uint32_t>(stage));
  if (stage == 0) finder.addFunc();
  finder.addStage(stage == 0 ? function.definition() : function.update(stage - 1));
  return found;
}

FoundCalls foundSchedule(const Halide::Pipeline &pipeline) {
  auto functions = functionsOf(pipeline);
  std::set<std::string> wrappers; // listed with the funcs that they wrap
  for (auto &[name, function] : functions) {
    function.lock_loop_levels(); // the loop levels of a new schedule are not locked yet
    for (const auto &[consumer, pointer] : function.wrappers()) {
      Function wrapper(pointer);
      wrapper.lock_loop_levels();
      wrappers.insert(wrapper.name());
    }
  }
  FoundCalls all;
  const std::set<std::string> boundary = boundaryFuncs(functions);
  for (const auto &[name, function] : functions) {
    if (wrappers.contains(name)) continue;
    const int stages = 1 + static_cast<int>(function.updates().size());
    for (int stage = 0; stage < stages && function.has_pure_definition(); ++stage) {
      FoundCalls found = foundStage(function, stage);
      if (boundary.contains(name)) std::erase_if(found.directives, isLayout);
      std::move(found.directives.begin(), found.directives.end(),
                std::back_inserter(all.directives));
      std::move(found.others.begin(), found.others.end(), std::back_inserter(all.others));
    }
  }
  all.promises = promisesOf(pipeline);
  all.unsaidPromises = unsaidPromises(pipeline);
  return all;
}

std::vector<std::string> foundDirectives(const Function &function, int stage) {
  FoundCalls found = foundStage(function, stage);
  std::vector<std::string> out;
  std::map<std::string, std::string> wrappers; // wrapper's name → "in(g)"
  for (const schedule::Directive &directive : found.directives) {
    const std::string call = schedule::plainCallText(directive);
    if (!directive.makes.empty()) wrappers[directive.makes] = call;
    const auto wrapper = wrappers.find(directive.func);
    out.push_back(wrapper == wrappers.end() ? call : wrapper->second + "." + call);
  }
  std::ranges::transform(found.others, std::back_inserter(out), &schedule::OtherCall::text);
  return out;
}

} // namespace tessera::halide
