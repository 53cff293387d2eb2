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
#include <string_view>
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
constexpr std::string_view kNoSize = "no number, and no expression of sizes";
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
  Finder(FoundCalls &found, const Function &function, std::uint32_t stage,
         schedule::VariantPath variant = {})
      : m_found(found), m_function(function), m_stage(stage), m_variant(std::move(variant)) {}

  void add(Verb verb, std::vector<Argument> arguments = {}) {
    m_found.directives.push_back(
        {m_function.name(), m_stage, verb, std::move(arguments), {}, m_variant});
  }

  void addFunc() {
    const ir::FuncSchedule &schedule = m_function.schedule();
    addLevels(schedule);
    addStorage(schedule);
    for (const ir::Bound &bound : schedule.bounds())
      addBound(bound);
    addWrappers();
    if (schedule.memoize_eviction_key().defined())
      other("memoize(EvictionKey)", "the key is the caller's", Makes::NoLoops);
    else if (schedule.memoized())
      add(Verb::Memoize);
    if (schedule.async()) add(Verb::Async);
    if (schedule.ring_buffer().defined()) addRing(schedule.ring_buffer());
  }

  void addStage(const ir::Definition &whole) {
    const auto [definition, variants] = withoutConstants(whole);
    const std::size_t following = variantsThatFollow(definition, variants);
    // A variant that does not follow the stage is made before the stage has its loops.
    for (std::size_t i = 0; i + following < variants.size(); ++i)
      addVariant(variants[i], true);
    addLoops(definition);
    for (std::size_t i = variants.size() - following; i < variants.size(); ++i)
      addVariant(variants[i], false);
  }

  // What makes and marks the loops of a definition, without its variants.
  void addLoops(const ir::Definition &definition) {
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
    addPartitions(schedule);
    if (m_variant.empty() && !schedule.fuse_level().level.is_inlined())
      addComputeWith(schedule.fuse_level());
    if (schedule.atomic())
      add(Verb::Atomic, {std::int64_t{schedule.override_atomic_associativity_test()}});
    if (schedule.allow_race_conditions()) add(Verb::AllowRaceConditions);
    for (const ir::PrefetchDirective &prefetch : schedule.prefetches())
      other(text("prefetch(", prefetch.name, ", ", prefetch.at, ", ", prefetch.from, ", ",
                 prefetch.offset, ")"),
            "a hint for loops of the host", Makes::NoLoops);
  }

private:
  enum class Makes : std::uint8_t { Loops, NoLoops };

  // A call that cannot be kept, and the reason.
  void other(const std::string &call, std::string_view why, Makes makes) {
    m_found.others.push_back({call + " // " + std::string(why), makes == Makes::Loops});
  }

  void addVariant(const ir::Specialization &special, bool hasOwnLoops) {
    const std::string &message = special.failure_message;
    if (!message.empty()) {
      // What a variant that is left out was for must not fail.
      if (m_variantLeftOut)
        return other(text("specialize_fail(\"", message, "\")"), "a variant is left out",
                     Makes::NoLoops);
      return add(Verb::SpecializeFail, {schedule::Text{message}});
    }
    const auto condition = sizeExpressionOf(special.condition);
    if (!condition) return leaveOut(special, "more than whole numbers, sizes and comparisons");
    const FoundCalls before = m_found;
    add(Verb::Specialize, {*condition});
    schedule::VariantPath variant = m_variant;
    variant.push_back(m_variants++);
    Finder inside(m_found, m_function, m_stage, std::move(variant));
    if (hasOwnLoops)
      inside.addStage(special.definition);
    else
      inside.addFollowing(special.definition);
    // A variant computes the same without its special loops, so the rest can do without it.
    const auto cannotBeKept =
        std::ranges::find_if(m_found.others.begin() + std::ptrdiff_t(before.others.size()),
                             m_found.others.end(), &schedule::OtherCall::makesLoops);
    if (cannotBeKept == m_found.others.end()) return;
    const std::string why = "it has " + cannotBeKept->text;
    m_found = before;
    --m_variants;
    leaveOut(special, why);
  }

  void leaveOut(const ir::Specialization &special, std::string_view why) {
    m_variantLeftOut = true;
    other(text("specialize(", special.condition, ")"), why, Makes::NoLoops);
  }

  // The variants within a variant whose loops are those of the stage itself.
  void addFollowing(const ir::Definition &definition) {
    for (const ir::Specialization &special : withoutConstants(definition).second)
      addVariant(special, false);
  }

  using Variants = std::vector<ir::Specialization>;

  // A variant whose condition is always true takes the place of the definition and of all variants
  // behind it; one whose condition is never true is none.
  static std::pair<ir::Definition, Variants> withoutConstants(const ir::Definition &whole) {
    Variants variants;
    for (const ir::Specialization &special : whole.specializations()) {
      const bool fails = !special.failure_message.empty();
      const Halide::Expr condition = ir::simplify(special.condition);
      if (!fails && ir::is_const_zero(condition)) continue;
      if (fails || !ir::is_const_one(condition)) {
        variants.push_back(special);
        continue;
      }
      auto [definition, inside] = withoutConstants(special.definition);
      std::ranges::move(inside, std::back_inserter(variants));
      return {definition, std::move(variants)};
    }
    return {whole, std::move(variants)};
  }

  // How many of the last variants have the loops of the definition itself. Which of the variants
  // that hold is taken depends on their order, so one in front of others with their own loops is
  // written like these.
  std::size_t variantsThatFollow(const ir::Definition &definition, const Variants &variants) const {
    const std::vector<schedule::Directive> loops = callsOf(definition);
    std::size_t count = 0;
    while (count < variants.size() && follows(variants[variants.size() - 1 - count], loops))
      ++count;
    return count;
  }

  bool follows(const ir::Specialization &special,
               const std::vector<schedule::Directive> &loops) const {
    if (!special.failure_message.empty()) return true;
    const auto [definition, variants] = withoutConstants(special.definition);
    return callsOf(definition) == loops &&
           variantsThatFollow(definition, variants) == variants.size();
  }

  // The calls that make the loops of a definition.
  std::vector<schedule::Directive> callsOf(const ir::Definition &definition) const {
    FoundCalls found;
    Finder(found, m_function, m_stage).addLoops(definition);
    return found.directives;
  }

  void addRing(const Halide::Expr &extent) {
    const auto number = ir::as_const_int(ir::simplify(extent));
    const auto size = sizeExpressionOf(extent);
    if (number)
      add(Verb::RingBuffer, {*number});
    else if (size)
      add(Verb::RingBuffer, {*size});
    else
      other(text("ring_buffer(", extent, ")"), kNoSize, Makes::Loops);
  }

  // Which loops Halide may cut into tiles at a boundary and tiles between.
  void addPartitions(const ir::StageSchedule &schedule) {
    std::vector<Argument> never, always;
    std::size_t loops = 0;
    for (const ir::Dim &dim : schedule.dims()) {
      if (isOutermost(dim.var) || m_singleThread.contains(dim.var)) continue;
      ++loops;
      if (dim.partition_policy == Halide::Partition::Never) never.emplace_back(loopOf(dim.var));
      if (dim.partition_policy == Halide::Partition::Always) always.emplace_back(loopOf(dim.var));
    }
    if (!always.empty()) add(Verb::AlwaysPartition, std::move(always));
    if (never.empty()) return;
    if (never.size() == loops)
      add(Verb::NeverPartitionAll);
    else
      add(Verb::NeverPartition, std::move(never));
  }

  void addComputeWith(const Halide::FuseLoopLevel &fused) {
    addPlace(Verb::ComputeWith, Verb::ComputeWith, fused.level);
    for (const auto &[loop, align] : fused.align)
      if (align != Halide::LoopAlignStrategy::Auto)
        other(text("compute_with(", fused.level.func(), ", ", own(loop), ", LoopAlignStrategy)"),
              "loops that do not begin together", Makes::Loops);
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
      other(text(schedule::signature(verb).name, "(", printed, ")"), kNoSize, makes);
  }

  void addStorage(const ir::FuncSchedule &schedule) {
    if (schedule.memory_type() != Halide::MemoryType::Auto) {
      const std::string memory = text(schedule.memory_type());
      if (const auto storage = schedule::storageFromHalideName(memory))
        add(Verb::StoreIn, {*storage});
      else
        other("store_in(MemoryType::" + memory + ")", "no memory of such a GPU", Makes::Loops);
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
      if (dim.fold_factor.defined() && !dim.fold_forward)
        other(text("fold_storage(", own(dim.var), ", ", dim.fold_factor, ", false)"),
              "it folds backwards", Makes::Loops);
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
      other(text("rename(", own(split.old_var), ", ", own(split.outer), ")"),
            "a second name of a loop", Makes::Loops);
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
              "a factor that is no number", Makes::Loops);
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
  schedule::VariantPath m_variant;
  std::uint32_t m_variants = 0;  // of the stage, or of the variant
  bool m_variantLeftOut = false; // since its condition is no expression of sizes
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
    std::string call = schedule::plainCallText(directive);
    if (!directive.variant.empty()) {
      std::string number;
      for (const std::uint32_t one : directive.variant)
        number += (number.empty() ? "" : ".") + std::to_string(one + 1);
      call = "variant " + number + ": " + call;
    }
    if (!directive.makes.empty()) wrappers[directive.makes] = call;
    const auto wrapper = wrappers.find(directive.func);
    out.push_back(wrapper == wrappers.end() ? call : wrapper->second + "." + call);
  }
  std::ranges::transform(found.others, std::back_inserter(out), &schedule::OtherCall::text);
  return out;
}

} // namespace tessera::halide
