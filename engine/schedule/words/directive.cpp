// SPDX-License-Identifier: MIT
#include "engine/schedule/words/directive.h"

#include <algorithm>

namespace tessera::schedule {

namespace {

using Kind = ParameterKind;

std::vector<Signature> makeSignatures() {
  constexpr bool kRepeats = true, kOnce = false, kOfFunc = true, kOfStage = false;
  constexpr bool kNoFunc = false;
  return {
      {Verb::Split, "split", {Kind::Loop, Kind::Loop, Kind::Loop, Kind::Number, Kind::Tail}},
      {Verb::Fuse, "fuse", {Kind::Loop, Kind::Loop, Kind::Loop}},
      {Verb::Reorder, "reorder", {Kind::Loop}, kRepeats, 2},
      {Verb::GpuBlocks, "gpu_blocks", {Kind::Loop}, kRepeats, 1, kOfStage, kNoFunc, 3},
      {Verb::GpuThreads, "gpu_threads", {Kind::Loop}, kRepeats, 1, kOfStage, kNoFunc, 3},
      {Verb::GpuLanes, "gpu_lanes", {Kind::Loop}},
      {Verb::GpuSingleThread, "gpu_single_thread", {}},
      {Verb::Unroll, "unroll", {Kind::Loop}},
      {Verb::Vectorize, "vectorize", {Kind::Loop}},
      {Verb::Parallel, "parallel", {Kind::Loop}},
      {Verb::ComputeRoot, "compute_root", {}, kOnce, 0, kOfFunc},
      {Verb::ComputeAt, "compute_at", {Kind::Level}, kOnce, 0, kOfFunc},
      {Verb::StoreRoot, "store_root", {}, kOnce, 0, kOfFunc},
      {Verb::StoreAt, "store_at", {Kind::Level}, kOnce, 0, kOfFunc},
      {Verb::HoistStorageRoot, "hoist_storage_root", {}, kOnce, 0, kOfFunc},
      {Verb::HoistStorage, "hoist_storage", {Kind::Level}, kOnce, 0, kOfFunc},
      {Verb::StoreIn, "store_in", {Kind::Storage}, kOnce, 0, kOfFunc},
      {Verb::ReorderStorage, "reorder_storage", {Kind::PureLoop}, kRepeats, 2, kOfFunc},
      {Verb::AlignStorage, "align_storage", {Kind::PureLoop, Kind::Number}, kOnce, 0, kOfFunc},
      {Verb::BoundStorage, "bound_storage", {Kind::PureLoop, Kind::Number}, kOnce, 0, kOfFunc},
      {Verb::FoldStorage, "fold_storage", {Kind::PureLoop, Kind::Number}, kOnce, 0, kOfFunc},
      {Verb::Bound, "bound", {Kind::PureLoop, Kind::Size, Kind::Size}, kOnce, 0, kOfFunc},
      {Verb::BoundExtent, "bound_extent", {Kind::PureLoop, Kind::Size}, kOnce, 0, kOfFunc},
      {Verb::AlignBounds,
       "align_bounds",
       {Kind::PureLoop, Kind::Number, Kind::Number},
       kOnce,
       0,
       kOfFunc},
      {Verb::Atomic, "atomic", {Kind::Flag}},
      {Verb::AllowRaceConditions, "allow_race_conditions", {}},
      {Verb::NeverPartitionAll, "never_partition_all", {}},
      {Verb::NeverPartition, "never_partition", {Kind::Loop}, kRepeats, 1},
      {Verb::AlwaysPartition, "always_partition", {Kind::Loop}, kRepeats, 1},
      {Verb::ComputeWith, "compute_with", {Kind::Level}},
      {Verb::Specialize, "specialize", {Kind::Condition}},
      {Verb::SpecializeFail, "specialize_fail", {Kind::Text}},
      {Verb::Memoize, "memoize", {}, kOnce, 0, kOfFunc},
      {Verb::Async, "async", {}, kOnce, 0, kOfFunc},
      {Verb::RingBuffer, "ring_buffer", {Kind::Size}, kOnce, 0, kOfFunc},
      {Verb::In, "in", {Kind::Func}, kRepeats, 0, kOfFunc, true},
      {Verb::CloneIn, "clone_in", {Kind::Func}, kRepeats, 1, kOfFunc, true},
      {Verb::RFactor, "rfactor", {Kind::LoopPair}, kRepeats, 1, kOfStage, true},
  };
}

bool isOf32Bits(const std::int64_t *number) {
  return number && *number >= -INT32_MAX && *number <= INT32_MAX;
}

bool fits(const Argument &argument, Kind kind) {
  const auto *loop = std::get_if<LoopName>(&argument);
  const auto *number = std::get_if<std::int64_t>(&argument);
  const auto *size = std::get_if<SizeExpression>(&argument);
  switch (kind) {
  case Kind::Loop:
  case Kind::LoopPair:
    return loop != nullptr;
  case Kind::PureLoop:
    return loop && !loop->reduction;
  case Kind::ReductionLoop:
    return loop && loop->reduction;
  case Kind::Number:
    return isOf32Bits(number);
  case Kind::Size: // a constant has one form, the number
    return isOf32Bits(number) ||
           (size && size->op != SizeExpression::Op::Number && isCondition(*size) == false);
  case Kind::Condition:
    return size && isCondition(*size) == true;
  case Kind::Flag:
    return number && (*number == 0 || *number == 1);
  case Kind::Tail:
    return std::holds_alternative<Tail>(argument);
  case Kind::Storage:
    return std::holds_alternative<Storage>(argument);
  case Kind::Level:
    return std::holds_alternative<Level>(argument);
  case Kind::Func:
    return std::holds_alternative<FuncName>(argument);
  case Kind::Text:
    return std::holds_alternative<Text>(argument);
  }
  return false;
}

std::string_view describe(Kind kind) {
  switch (kind) {
  case Kind::Loop:
  case Kind::LoopPair:
    return "a loop";
  case Kind::PureLoop:
    return "a pure loop";
  case Kind::ReductionLoop:
    return "a reduction loop";
  case Kind::Number:
    return "a number of 32 bits";
  case Kind::Size:
    return "a number of 32 bits or an expression of sizes";
  case Kind::Condition:
    return "a condition on sizes";
  case Kind::Flag:
    return "true or false";
  case Kind::Tail:
    return "a tail strategy";
  case Kind::Storage:
    return "a memory type";
  case Kind::Level:
    return "a loop of a func";
  case Kind::Func:
    return "a func";
  case Kind::Text:
    return "a text in quotes";
  }
  return "";
}

struct HasName {
  bool operator()(const LoopName &loop) const { return !loop.name.empty(); }
  bool operator()(const Level &level) const {
    return !level.func.empty() && !level.loop.name.empty();
  }
  bool operator()(const FuncName &func) const { return !func.name.empty(); }
  bool operator()(const Text &text) const { return !text.text.empty(); }
  template <typename Nameless>
  bool operator()(const Nameless &) const {
    return true;
  }
};

// The parameter kinds for `count` arguments. `possible` becomes false where the call does not take
// that many.
std::vector<Kind> expanded(const Signature &signature, std::size_t count, bool &possible) {
  std::vector<Kind> kinds = signature.parameters;
  if (signature.lastRepeats) {
    const Kind last = kinds.back();
    kinds.pop_back();
    const std::size_t width = last == Kind::LoopPair ? 2 : 1;
    const std::size_t repeated = count > kinds.size() ? count - kinds.size() : 0;
    possible = repeated % width == 0 && repeated / width >= signature.min &&
               repeated / width <= signature.max;
    for (std::size_t i = 0; i < repeated; ++i)
      kinds.push_back(last != Kind::LoopPair ? last
                      : i % 2 == 0           ? Kind::ReductionLoop
                                             : Kind::PureLoop);
  }
  possible = possible && kinds.size() == count;
  return kinds;
}

} // namespace

std::span<const Signature> signatures() {
  static const std::vector<Signature> all = makeSignatures();
  return all;
}

const Signature &signature(Verb verb) { return signatures()[static_cast<std::size_t>(verb)]; }

const Signature *signatureNamed(std::string_view name) {
  const auto all = signatures();
  const auto at = std::find_if(all.begin(), all.end(), [name](const Signature &signature) {
    return signature.name == name;
  });
  return at == all.end() ? nullptr : &*at;
}

bool isOpaque(const Directive &directive) {
  switch (directive.verb) {
  case Verb::NeverPartition:
  case Verb::AlwaysPartition:
  case Verb::SpecializeFail:
  case Verb::Memoize:
  case Verb::Async:
  case Verb::RingBuffer:
    return true;
  default:
    return !directive.variant.empty() || hasSize(directive);
  }
}

bool hasSize(const Directive &directive) {
  return std::ranges::any_of(directive.arguments, [](const Argument &argument) {
    return std::holds_alternative<SizeExpression>(argument);
  });
}

VariantPath variantMadeBy(std::span<const Directive> directives, std::size_t place) {
  const Directive &made = directives[place];
  VariantPath variant = made.variant;
  variant.push_back(static_cast<std::uint32_t>(
      std::ranges::count_if(directives.first(place), [&](const Directive &other) {
        return other.verb == Verb::Specialize && other.func == made.func &&
               other.stage == made.stage && other.variant == made.variant;
      })));
  return variant;
}

std::string problemWith(const Directive &directive) {
  const Signature &call = signature(directive.verb);
  const std::string name(call.name);
  bool possible = true;
  const std::vector<Kind> kinds = expanded(call, directive.arguments.size(), possible);
  if (!possible)
    return name + " does not take " + std::to_string(directive.arguments.size()) + " arguments";
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (!fits(directive.arguments[i], kinds[i]))
      return "argument " + std::to_string(i + 1) + " of " + name + " must be " +
             std::string(describe(kinds[i]));
    else if (!std::visit(HasName{}, directive.arguments[i]))
      return "argument " + std::to_string(i + 1) + " of " + name + " has no name";
  if (directive.func.empty()) return name + " has no func";
  if (directive.verb == Verb::RFactor && directive.stage == 0)
    return name + " must be called on an update, not on a func";
  if (call.ofFunc && directive.stage != 0)
    return name + " must be called on a func, not on an update";
  if (directive.variant.size() > kDeepestVariant) return name + " is of a variant too deep";
  if (!directive.variant.empty() &&
      (call.ofFunc || directive.verb == Verb::ComputeWith || directive.verb == Verb::RFactor))
    return name + " cannot be called on a variant of specialize()";
  if (call.makesFunc == directive.makes.empty())
    return name + (call.makesFunc ? " makes a func and needs a name for it" : " makes no func");
  return {};
}

} // namespace tessera::schedule
