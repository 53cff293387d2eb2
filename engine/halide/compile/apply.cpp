// SPDX-License-Identifier: MIT
#include "engine/halide/compile/apply.h"

#include "engine/halide/guard.h"
#include "engine/halide/import/graph.h"
#include "engine/halide/import/load.h"
#include "engine/halide/size_expressions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace tessera::halide {

namespace {

using Halide::Func;
using Halide::LoopLevel;
using Halide::RVar;
using Halide::Stage;
using Halide::Var;
using Halide::VarOrRVar;
using schedule::Directive;
using schedule::FuncName;
using schedule::Level;
using schedule::LoopName;
using schedule::Verb;
namespace ir = Halide::Internal;

Halide::TailStrategy halideTail(schedule::Tail tail) {
  switch (tail) {
  case schedule::Tail::Auto:
    return Halide::TailStrategy::Auto;
  case schedule::Tail::RoundUp:
    return Halide::TailStrategy::RoundUp;
  case schedule::Tail::GuardWithIf:
    return Halide::TailStrategy::GuardWithIf;
  case schedule::Tail::Predicate:
    return Halide::TailStrategy::Predicate;
  case schedule::Tail::PredicateLoads:
    return Halide::TailStrategy::PredicateLoads;
  case schedule::Tail::PredicateStores:
    return Halide::TailStrategy::PredicateStores;
  case schedule::Tail::ShiftInwards:
    return Halide::TailStrategy::ShiftInwards;
  case schedule::Tail::ShiftInwardsAndBlend:
    return Halide::TailStrategy::ShiftInwardsAndBlend;
  case schedule::Tail::RoundUpAndBlend:
    return Halide::TailStrategy::RoundUpAndBlend;
  }
  return Halide::TailStrategy::Auto;
}

Halide::MemoryType halideStorage(schedule::Storage storage) {
  switch (storage) {
  case schedule::Storage::Auto:
    return Halide::MemoryType::Auto;
  case schedule::Storage::Global:
    return Halide::MemoryType::Heap;
  case schedule::Storage::Shared:
    return Halide::MemoryType::GPUShared;
  case schedule::Storage::Registers:
    return Halide::MemoryType::Register;
  case schedule::Storage::Stack:
    return Halide::MemoryType::Stack;
  }
  return Halide::MemoryType::Auto;
}

std::string stageText(const std::string &func, std::uint32_t stage) {
  return stage == 0 ? func : func + ".update(" + std::to_string(stage - 1) + ")";
}

std::string quoted(const std::string &name) { return "\"" + name + "\""; }

template <typename Names>
std::string listed(const Names &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

// Halide's own rule: after a split, a loop is called "x.xo" and is found by the name "xo".
bool isLoop(const std::string &loop, const std::string &name) {
  return loop == name || loop.ends_with("." + name);
}

std::string ownName(const std::string &loop) { return loop.substr(loop.rfind('.') + 1); }

std::vector<ir::Dim> loopsOf(const ir::Definition &definition) {
  std::vector<ir::Dim> loops = definition.schedule().dims();
  std::erase_if(loops, [](const ir::Dim &dim) { return dim.var == Var::outermost().name(); });
  return loops;
}

// The definition of a stage, or of one of its variants.
Result<ir::Definition> definitionOf(const ir::Function &function, std::uint32_t stage,
                                    const schedule::VariantPath &variant = {}) {
  ir::Definition definition =
      stage == 0 ? function.definition() : function.update(static_cast<int>(stage) - 1);
  for (const std::uint32_t number : variant) {
    if (number >= definition.specializations().size())
      return Error{ErrorCode::InputRefused,
                   stageText(function.name(), stage) + " has no variant " + std::to_string(number) +
                       " before this call",
                   "Variants are counted from 0, in the order of specialize()."};
    definition = definition.specializations()[number].definition;
  }
  return definition;
}

std::string loopNames(const std::vector<ir::Dim> &loops) {
  std::vector<std::string> names;
  for (const ir::Dim &dim : loops)
    names.push_back(ownName(dim.var));
  return listed(names);
}

VarOrRVar halideLoop(const LoopName &loop) { return {loop.name, loop.reduction}; }

// Performs the directives of one list. Exceptions of Halide pass through.
class Performer {
public:
  explicit Performer(const Halide::Pipeline &pipeline) : m_sizes(pipeline) {
    for (const auto &[name, function] : functionsOf(pipeline)) {
      m_funcs.emplace(name, function);
      const std::string input = stagedInputName(function);
      if (!input.empty()) m_stagingOf.emplace(input, name);
    }
  }

  void reserve(std::span<const Directive> directives);
  Status perform(const Directive &directive);
  // A level can name a loop that a later directive makes, so levels are checked at the end. Returns
  // the number of the first directive whose level names no loop, and the reason.
  std::optional<std::pair<std::size_t, Error>> wrongLevel(std::span<const Directive> all) const;

  Applied applied;

private:
  Result<ir::Function> find(const std::string &name, std::uint32_t stage) const;
  Result<LoopLevel> level(const Level &level, Verb verb) const;
  static Status checkLoops(const Directive &directive, const ir::Definition &definition);
  Status checkStorageDim(const LoopName &loop, const ir::Function &function) const;
  Status performOnLevel(const Directive &directive, Func func, Stage stage);
  Status performMaking(const Directive &directive, Func func, Stage stage);
  static void performOnFunc(const Directive &directive, Func func);
  Status performOpaqueOnFunc(const Directive &directive, Func func) const;
  Status performOpaqueOnStage(const Directive &directive, Stage stage) const;
  Result<std::vector<Halide::Expr>> valuesOf(const Directive &directive) const;
  static void performOnStage(const Directive &directive, Stage stage);

  std::map<std::string, ir::Function> m_funcs;
  std::map<std::string, std::string> m_stagingOf; // maps an input to its staging handle
  PipelineSizes m_sizes;
  std::set<std::string> m_makes; // funcs that a directive of the list makes
};

Error problem(const std::string &message, const std::string &hint = "") {
  return {ErrorCode::InputRefused, message, hint};
}

// Halide makes up names such as "v1". Reserves the names of new loops so that they cannot collide.
void Performer::reserve(std::span<const Directive> directives) {
  for (const Directive &directive : directives) {
    for (const schedule::Argument &argument : directive.arguments)
      if (const auto *loop = std::get_if<LoopName>(&argument)) reserveName(loop->name);
    if (!directive.makes.empty()) m_makes.insert(directive.makes);
  }
}

Result<ir::Function> Performer::find(const std::string &name, std::uint32_t stage) const {
  const auto at = m_funcs.find(name);
  if (at == m_funcs.end()) {
    if (m_makes.count(name))
      return problem("func " + quoted(name) + " is made by a later directive",
                     "Make it before it is used.");
    if (const auto staging = m_stagingOf.find(name); staging != m_stagingOf.end())
      return problem(quoted(name) + " is an input, and inputs have no schedule",
                     "Use its staging handle " + quoted(staging->second) + ".");
    std::vector<std::string> known;
    for (const auto &[other, function] : m_funcs)
      known.push_back(other);
    return problem("the pipeline has no func " + quoted(name), "It has: " + listed(known) + ".");
  }
  const std::size_t updates = at->second.updates().size();
  if (stage > updates)
    return problem(quoted(name) + " has no update(" + std::to_string(stage - 1) + ")",
                   updates == 0 ? "It has only its pure definition."
                                : "Its last is update(" + std::to_string(updates - 1) + ").");
  return at->second;
}

// Only compute_with distinguishes stages. To Halide, compute_at names a loop of any stage, and a
// level with a stage number is not legal. So a func that is read by two stages which both have this
// loop is computed in both.
Result<LoopLevel> Performer::level(const Level &level, Verb verb) const {
  auto function = find(level.func, level.stage);
  if (!function) return function.error();
  const int stage = verb == Verb::ComputeWith ? static_cast<int>(level.stage) : -1;
  return LoopLevel(*function, halideLoop(level.loop), stage);
}

// Checks the loops that the call needs: each must exist already, and must be a reduction or pure
// loop as the directive says.
Status Performer::checkLoops(const Directive &directive, const ir::Definition &definition) {
  std::size_t first = 0, last = 0, step = 1;
  switch (directive.verb) {
  case Verb::Split:
    last = 1;
    break;
  case Verb::Fuse:
    last = 2;
    break;
  case Verb::RFactor:
    last = directive.arguments.size();
    step = 2;
    break;
  case Verb::Reorder:
  case Verb::GpuBlocks:
  case Verb::GpuThreads:
  case Verb::GpuLanes:
  case Verb::Unroll:
  case Verb::Vectorize:
  case Verb::Parallel:
  case Verb::NeverPartition:
  case Verb::AlwaysPartition:
    last = directive.arguments.size();
    break;
  default:
    return Done{};
  }
  const std::vector<ir::Dim> loops = loopsOf(definition);
  const std::string stage = stageText(directive.func, directive.stage);
  for (; first < last; first += step) {
    const auto &wanted = std::get<LoopName>(directive.arguments[first]);
    const auto at = std::find_if(loops.begin(), loops.end(),
                                 [&](const ir::Dim &dim) { return isLoop(dim.var, wanted.name); });
    if (at == loops.end())
      return problem(stage + " has no loop " + quoted(wanted.name),
                     "It has: " + loopNames(loops) + ".");
    if (at->is_rvar() != wanted.reduction)
      return problem("loop " + quoted(wanted.name) + " of " + stage + " is a " +
                         (at->is_rvar() ? "reduction" : "pure") + " loop, but the directive says " +
                         (wanted.reduction ? "reduction" : "pure"),
                     "");
  }
  return Done{};
}

Status Performer::checkStorageDim(const LoopName &loop, const ir::Function &function) const {
  const std::vector<std::string> &args = function.args();
  if (std::find(args.begin(), args.end(), loop.name) != args.end()) return Done{};
  return problem(quoted(loop.name) + " is not a dimension of " + quoted(function.name()),
                 "Its dimensions are: " + listed(args) + ".");
}

Status Performer::performOnLevel(const Directive &directive, Func func, Stage stage) {
  auto found = level(std::get<Level>(directive.arguments[0]), directive.verb);
  if (!found) return found.error();
  if (directive.verb == Verb::ComputeAt) func.compute_at(*found);
  if (directive.verb == Verb::StoreAt) func.store_at(*found);
  if (directive.verb == Verb::HoistStorage) func.hoist_storage(*found);
  if (directive.verb == Verb::ComputeWith) stage.compute_with(*found);
  return Done{};
}

Status Performer::performMaking(const Directive &directive, Func func, Stage stage) {
  if (m_funcs.count(directive.makes))
    return problem("there is a func " + quoted(directive.makes) + " already");
  Func made;
  if (directive.verb == Verb::RFactor) {
    std::vector<std::pair<RVar, Var>> preserved;
    for (std::size_t i = 0; i + 1 < directive.arguments.size(); i += 2)
      preserved.emplace_back(RVar(std::get<LoopName>(directive.arguments[i]).name),
                             Var(std::get<LoopName>(directive.arguments[i + 1]).name));
    made = stage.rfactor(preserved);
  } else {
    std::vector<Func> consumers;
    for (const schedule::Argument &argument : directive.arguments) {
      auto consumer = find(std::get<FuncName>(argument).name, 0);
      if (!consumer) return consumer.error();
      consumers.emplace_back(*consumer);
    }
    // Halide names a wrapper after its consumer only if the consumer is not passed in a list.
    if (directive.verb == Verb::CloneIn)
      made = consumers.size() == 1 ? func.clone_in(consumers[0]) : func.clone_in(consumers);
    else if (consumers.empty())
      made = func.in();
    else
      made = consumers.size() == 1 ? func.in(consumers[0]) : func.in(consumers);
  }
  // If a wrapper or clone for this consumer exists already, Halide returns the existing func.
  const auto [at, isNew] = applied.made.emplace(made.name(), directive.makes);
  if (!isNew)
    return problem("this repeats the call that made " + quoted(at->second),
                   "A consumer can read a func through only one wrapper or clone.");
  m_funcs.emplace(directive.makes, made.function());
  return Done{};
}

// The numbers and sizes of a call.
Result<std::vector<Halide::Expr>> Performer::valuesOf(const Directive &directive) const {
  std::vector<Halide::Expr> values;
  for (const schedule::Argument &argument : directive.arguments) {
    if (const auto *number = std::get_if<std::int64_t>(&argument))
      values.emplace_back(static_cast<int>(*number));
    const auto *size = std::get_if<schedule::SizeExpression>(&argument);
    if (!size) continue;
    auto value = m_sizes.expr(*size);
    if (!value) return value.error();
    values.push_back(std::move(*value));
  }
  return values;
}

// A call that no decision can say.
Status Performer::performOpaqueOnFunc(const Directive &directive, Func func) const {
  const auto values = valuesOf(directive);
  if (!values) return values.error();
  const auto dim = [&] { return Var(std::get<LoopName>(directive.arguments[0]).name); };
  switch (directive.verb) {
  case Verb::Bound:
    func.bound(dim(), (*values)[0], (*values)[1]);
    break;
  case Verb::BoundExtent:
    func.bound_extent(dim(), (*values)[0]);
    break;
  case Verb::Memoize:
    func.memoize();
    break;
  case Verb::Async:
    func.async();
    break;
  case Verb::RingBuffer:
    func.ring_buffer((*values)[0]);
    break;
  default:
    break;
  }
  return Done{};
}

// The same for a call on a stage, or any call on a variant of it.
Status Performer::performOpaqueOnStage(const Directive &directive, Stage stage) const {
  const auto partition = [&](Halide::Partition policy) {
    for (const schedule::Argument &argument : directive.arguments)
      stage.partition(halideLoop(std::get<LoopName>(argument)), policy);
  };
  switch (directive.verb) {
  case Verb::Specialize: {
    const auto condition = valuesOf(directive);
    if (!condition) return condition.error();
    stage.specialize(condition->front());
    break;
  }
  case Verb::SpecializeFail:
    stage.specialize_fail(std::get<schedule::Text>(directive.arguments[0]).text);
    break;
  case Verb::NeverPartition:
    partition(Halide::Partition::Never);
    break;
  case Verb::AlwaysPartition:
    partition(Halide::Partition::Always);
    break;
  default:
    performOnStage(directive, std::move(stage));
  }
  return Done{};
}

void Performer::performOnFunc(const Directive &directive, Func func) {
  const auto &arguments = directive.arguments;
  const auto loop = [&](std::size_t i) { return Var(std::get<LoopName>(arguments[i]).name); };
  const auto number = [&](std::size_t i) {
    const auto value = std::get<std::int64_t>(arguments[i]);
    return Halide::Internal::make_const(Halide::Int(32), value);
  };
  switch (directive.verb) {
  case Verb::ComputeRoot:
    func.compute_root();
    break;
  case Verb::StoreRoot:
    func.store_root();
    break;
  case Verb::HoistStorageRoot:
    func.hoist_storage_root();
    break;
  case Verb::StoreIn:
    func.store_in(halideStorage(std::get<schedule::Storage>(arguments[0])));
    break;
  case Verb::ReorderStorage: {
    std::vector<Var> order;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      order.push_back(loop(i));
    func.reorder_storage(order);
    break;
  }
  case Verb::AlignStorage:
    func.align_storage(loop(0), number(1));
    break;
  case Verb::BoundStorage:
    func.bound_storage(loop(0), number(1));
    break;
  case Verb::FoldStorage:
    func.fold_storage(loop(0), number(1));
    break;
  case Verb::Bound:
    func.bound(loop(0), number(1), number(2));
    break;
  case Verb::BoundExtent:
    func.bound_extent(loop(0), number(1));
    break;
  case Verb::AlignBounds:
    func.align_bounds(loop(0), number(1), number(2));
    break;
  default:
    break;
  }
}

void Performer::performOnStage(const Directive &directive, Stage stage) {
  const auto &arguments = directive.arguments;
  const auto loop = [&](std::size_t i) { return halideLoop(std::get<LoopName>(arguments[i])); };
  const auto each = [&](auto &&call) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      call(loop(i));
  };
  switch (directive.verb) {
  case Verb::Split:
    stage.split(loop(0), loop(1), loop(2), static_cast<int>(std::get<std::int64_t>(arguments[3])),
                halideTail(std::get<schedule::Tail>(arguments[4])));
    break;
  case Verb::Fuse:
    stage.fuse(loop(0), loop(1), loop(2));
    break;
  case Verb::Reorder: {
    std::vector<VarOrRVar> order;
    each([&](const VarOrRVar &v) { order.push_back(v); });
    stage.reorder(order);
    break;
  }
  case Verb::GpuBlocks:
    each([&](const VarOrRVar &v) { stage.gpu_blocks(v); });
    break;
  case Verb::GpuThreads:
    each([&](const VarOrRVar &v) { stage.gpu_threads(v); });
    break;
  case Verb::GpuLanes:
    stage.gpu_lanes(loop(0));
    break;
  case Verb::GpuSingleThread:
    stage.gpu_single_thread();
    break;
  case Verb::Unroll:
    stage.unroll(loop(0));
    break;
  case Verb::Vectorize:
    stage.vectorize(loop(0));
    break;
  case Verb::Parallel:
    stage.parallel(loop(0));
    break;
  case Verb::Atomic:
    stage.atomic(std::get<std::int64_t>(arguments[0]) != 0);
    break;
  case Verb::AllowRaceConditions:
    stage.allow_race_conditions();
    break;
  case Verb::NeverPartitionAll:
    stage.never_partition_all();
    break;
  default:
    break;
  }
}

Status checkNumbers(const Directive &directive) {
  if (directive.verb == Verb::Split && std::get<std::int64_t>(directive.arguments[3]) < 1)
    return problem("a loop cannot be split by " +
                   std::to_string(std::get<std::int64_t>(directive.arguments[3])));
  return Done{};
}

Status Performer::perform(const Directive &directive) {
  if (const std::string text = schedule::problemWith(directive); !text.empty())
    return problem(text);
  if (auto status = checkNumbers(directive); !status) return status;
  auto function = find(directive.func, directive.stage);
  if (!function) return function.error();
  const auto definition = definitionOf(*function, directive.stage, directive.variant);
  if (!definition) return definition.error();
  if (auto status = checkLoops(directive, *definition); !status) return status;
  Func func(*function);
  const Stage stage(*function, *definition, directive.stage);
  const schedule::Signature &call = schedule::signature(directive.verb);
  if (call.makesFunc) return performMaking(directive, func, stage);
  if (!call.parameters.empty() && call.parameters[0] == schedule::ParameterKind::Level)
    return performOnLevel(directive, func, stage);
  if (!call.ofFunc) {
    if (isOpaque(directive)) return performOpaqueOnStage(directive, stage);
    performOnStage(directive, stage);
    return Done{};
  }
  for (const schedule::Argument &argument : directive.arguments)
    if (const auto *loop = std::get_if<LoopName>(&argument))
      if (auto status = checkStorageDim(*loop, *function); !status) return status;
  if (isOpaque(directive)) return performOpaqueOnFunc(directive, func);
  performOnFunc(directive, func);
  return Done{};
}

std::optional<std::pair<std::size_t, Error>>
Performer::wrongLevel(std::span<const Directive> all) const {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const schedule::Argument &argument : all[i].arguments) {
      const auto *level = std::get_if<Level>(&argument);
      if (!level) continue;
      const ir::Function &function = m_funcs.at(level->func);
      const auto has = [&](std::uint32_t stage) {
        const std::vector<ir::Dim> loops = loopsOf(*definitionOf(function, stage));
        return std::any_of(loops.begin(), loops.end(),
                           [&](const ir::Dim &dim) { return isLoop(dim.var, level->loop.name); });
      };
      bool there = has(level->stage);
      for (std::uint32_t s = 0; all[i].verb != Verb::ComputeWith && s <= function.updates().size();
           ++s)
        there = there || has(s);
      if (there) continue;
      return std::pair{
          i, problem(stageText(level->func, level->stage) + " has no loop " +
                         quoted(level->loop.name) + " after all directives",
                     "It has: " + loopNames(loopsOf(*definitionOf(function, level->stage))) + ".")};
    }
  }
  return std::nullopt;
}

Error about(const Directive &directive, std::size_t number, Error error) {
  error.message = "directive " + std::to_string(number + 1) + ", " +
                  stageText(directive.func, directive.stage) + "." +
                  std::string(schedule::signature(directive.verb).name) + ": " + error.message;
  return error;
}

} // namespace

Result<Applied> applyDirectives(Halide::Pipeline &pipeline, std::span<const Directive> directives) {
  Performer performer(pipeline);
  performer.reserve(directives);
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const Directive &directive = directives[i];
    Status status = Done{};
    try {
      status = performer.perform(directive);
    } catch (const Halide::Error &e) {
      status = Error{ErrorCode::InputRefused, textOf(e), ""};
    }
    if (!status) return about(directive, i, status.error());
  }
  if (const auto wrong = performer.wrongLevel(directives))
    return about(directives[wrong->first], wrong->first, wrong->second);
  return std::move(performer.applied);
}

} // namespace tessera::halide
