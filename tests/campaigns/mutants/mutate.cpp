// SPDX-License-Identifier: MIT
#include "tests/campaigns/mutants/mutate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace tessera::test {

namespace {

using schedule::Directive;
using schedule::Level;
using schedule::LoopName;
using schedule::Storage;
using schedule::Tail;
using schedule::Verb;

constexpr std::array<std::string_view, kOperators> kNames{
    "storage number", "region number", "split factor", "vector width", "tail",        "loop kind",
    "drop",           "swap loops",    "rename loop",  "move place",   "swap places", "store in",
    "add storage",    "add region",    "flag",         "share loops",  "swap calls"};

constexpr std::array kKinds{Verb::GpuBlocks, Verb::GpuThreads, Verb::GpuLanes,
                            Verb::Unroll,    Verb::Vectorize,  Verb::Parallel};
constexpr std::array kOfStorage{Verb::BoundStorage, Verb::AlignStorage, Verb::FoldStorage};
constexpr std::array kOfRegion{Verb::Bound, Verb::BoundExtent, Verb::AlignBounds};

class Mutation {
public:
  Mutation(std::vector<Directive> &directives, std::mt19937_64 &random)
      : m_directives(directives), m_random(random) {}

  bool apply(Operator op) {
    switch (op) {
    case Operator::StorageNumber:
      return changeNumber(kOfStorage, 1);
    case Operator::RegionNumber:
      return changeNumber(kOfRegion, 1);
    case Operator::SplitFactor:
      return changeFactor([](const Directive &) { return true; });
    case Operator::VectorWidth:
      return changeFactor([this](const Directive &split) { return isTogether(split); });
    case Operator::Tail:
      return changeTail();
    case Operator::LoopKind:
      return changeKind();
    case Operator::Drop:
      return drop();
    case Operator::SwapLoops:
      return swapLoops();
    case Operator::RenameLoop:
      return renameLoop();
    case Operator::MovePlace:
      return movePlace();
    case Operator::SwapPlaces:
      return swapPlaces();
    case Operator::StoreIn:
      return changeStorage();
    case Operator::AddStorage:
      return add(kOfStorage);
    case Operator::AddRegion:
      return add(kOfRegion);
    case Operator::Flag:
      return addFlag();
    case Operator::ShareLoops:
      return shareLoops();
    case Operator::SwapCalls:
      return swapCalls();
    }
    return false;
  }

private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(m_random() % bound); }

  template <typename Items>
  auto &oneOf(Items &items) {
    return items[below(std::size(items))];
  }

  // A directive that a condition holds of, or nullptr.
  Directive *pick(const std::function<bool(const Directive &)> &condition) {
    std::vector<Directive *> found;
    for (Directive &directive : m_directives)
      if (condition(directive)) found.push_back(&directive);
    return found.empty() ? nullptr : oneOf(found);
  }

  Directive *pick(std::span<const Verb> verbs) {
    return pick([verbs](const Directive &directive) {
      return std::ranges::find(verbs, directive.verb) != verbs.end();
    });
  }

  // Mostly a number near the old one, as somebody would write it by mistake.
  std::int64_t otherThan(std::int64_t old) {
    for (;;) {
      const std::array<std::int64_t, 7> numbers{old - 1,
                                                old + 1,
                                                old / 2,
                                                old * 2,
                                                old - 2,
                                                old + static_cast<std::int64_t>(below(9)),
                                                1 + static_cast<std::int64_t>(below(64))};
      const std::int64_t number = oneOf(numbers);
      if (number != old && number >= 1) return number;
    }
  }

  bool changeNumber(std::span<const Verb> verbs, std::size_t first) {
    Directive *directive = pick(verbs);
    if (!directive) return false;
    const std::size_t at = first + below(directive->arguments.size() - first);
    auto &number = std::get<std::int64_t>(directive->arguments[at]);
    number = at > first ? static_cast<std::int64_t>(below(5)) : otherThan(number);
    return true;
  }

  bool changeFactor(const std::function<bool(const Directive &)> &condition) {
    Directive *split = pick([&](const Directive &directive) {
      return directive.verb == Verb::Split && condition(directive);
    });
    if (!split) return false;
    auto &factor = std::get<std::int64_t>(split->arguments[3]);
    factor = otherThan(factor);
    return true;
  }

  bool isTogether(const Directive &split) const {
    const auto &inner = std::get<LoopName>(split.arguments[2]);
    return std::ranges::any_of(m_directives, [&](const Directive &other) {
      return (other.verb == Verb::Vectorize || other.verb == Verb::Unroll) &&
             other.func == split.func && other.stage == split.stage &&
             std::get<LoopName>(other.arguments[0]) == inner;
    });
  }

  bool changeTail() {
    Directive *split = pick(std::array{Verb::Split});
    if (!split) return false;
    constexpr std::size_t kTails = static_cast<std::size_t>(Tail::RoundUpAndBlend) + 1;
    split->arguments[4] = static_cast<Tail>(below(kTails));
    return true;
  }

  bool changeKind() {
    Directive *directive = pick(kKinds);
    if (!directive) return false;
    directive->verb = oneOf(kKinds);
    if (!schedule::signature(directive->verb).lastRepeats) directive->arguments.resize(1);
    return true;
  }

  bool drop() {
    if (m_directives.empty()) return false;
    m_directives.erase(m_directives.begin() +
                       static_cast<std::ptrdiff_t>(below(m_directives.size())));
    return true;
  }

  bool swapLoops() {
    Directive *directive = pick([](const Directive &one) {
      return (one.verb == Verb::Reorder || one.verb == Verb::Fuse ||
              one.verb == Verb::ReorderStorage || one.verb == Verb::GpuBlocks ||
              one.verb == Verb::GpuThreads) &&
             one.arguments.size() > 1;
    });
    if (!directive) return false;
    const std::size_t count = directive->verb == Verb::Fuse ? 2 : directive->arguments.size();
    const std::size_t one = below(count), other = (one + 1 + below(count - 1)) % count;
    std::swap(directive->arguments[one], directive->arguments[other]);
    return true;
  }

  // All loops that directives of the func name.
  std::vector<LoopName> loopsOf(const std::string &func) const {
    std::vector<LoopName> loops;
    const auto note = [&](const LoopName &loop) {
      if (std::ranges::find(loops, loop) == loops.end()) loops.push_back(loop);
    };
    for (const Directive &directive : m_directives)
      for (const schedule::Argument &argument : directive.arguments) {
        const auto *loop = std::get_if<LoopName>(&argument);
        const auto *level = std::get_if<Level>(&argument);
        if (loop && directive.func == func) note(*loop);
        if (level && level->func == func) note(level->loop);
      }
    return loops;
  }

  bool renameLoop() {
    Directive *directive = pick([](const Directive &one) {
      return !one.arguments.empty() && std::holds_alternative<LoopName>(one.arguments[0]);
    });
    if (!directive) return false;
    std::vector<LoopName *> named;
    for (schedule::Argument &argument : directive->arguments)
      if (auto *loop = std::get_if<LoopName>(&argument)) named.push_back(loop);
    const std::vector<LoopName> loops = loopsOf(directive->func);
    *oneOf(named) = oneOf(loops);
    return true;
  }

  bool movePlace() {
    Directive *place = pick(std::array{Verb::ComputeAt});
    if (!place) return false;
    auto &level = std::get<Level>(place->arguments[0]);
    const std::vector<LoopName> loops = loopsOf(level.func);
    level.loop = oneOf(loops);
    return true;
  }

  bool swapPlaces() {
    const auto isPlace = [](const Directive &one) {
      return one.verb == Verb::ComputeAt || one.verb == Verb::ComputeRoot;
    };
    Directive *one = pick(isPlace), *other = pick(isPlace);
    if (!one || one == other) return false;
    std::swap(one->verb, other->verb);
    std::swap(one->arguments, other->arguments);
    return true;
  }

  std::vector<std::string> funcs() const {
    std::set<std::string> names;
    for (const Directive &directive : m_directives)
      names.insert(directive.func);
    return {names.begin(), names.end()};
  }

  bool changeStorage() {
    constexpr std::array kStorages{Storage::Auto, Storage::Global, Storage::Shared,
                                   Storage::Registers, Storage::Stack};
    if (m_directives.empty()) return false;
    const std::vector<std::string> names = funcs();
    const std::string func = oneOf(names);
    std::erase_if(m_directives, [&](const Directive &one) {
      return one.verb == Verb::StoreIn && one.func == func;
    });
    m_directives.push_back({func, 0, Verb::StoreIn, {oneOf(kStorages)}, {}});
    return true;
  }

  bool add(std::span<const Verb> verbs) {
    if (m_directives.empty()) return false;
    const std::vector<std::string> names = funcs();
    const std::string func = oneOf(names);
    std::vector<LoopName> loops = loopsOf(func);
    std::erase_if(loops, [](const LoopName &loop) { return loop.reduction; });
    if (loops.empty()) loops.push_back({below(2) ? "x" : "y", false});
    const Verb verb = oneOf(verbs);
    const auto number = [&] { return static_cast<std::int64_t>(1 + below(below(2) ? 12 : 300)); };
    std::vector<schedule::Argument> arguments{oneOf(loops)};
    if (verb == Verb::Bound) arguments.emplace_back(static_cast<std::int64_t>(below(3)));
    arguments.emplace_back(number());
    if (verb == Verb::AlignBounds) arguments.emplace_back(std::int64_t{0});
    m_directives.push_back({func, 0, verb, std::move(arguments), {}});
    return true;
  }

  bool addFlag() {
    if (m_directives.empty()) return false;
    const Directive &stage = oneOf(m_directives);
    Directive flag{stage.func, stage.stage, Verb::AllowRaceConditions, {}, {}};
    const std::size_t kind = below(4);
    if (kind == 1) flag.verb = Verb::NeverPartitionAll;
    if (kind > 1) {
      flag.verb = Verb::Atomic;
      flag.arguments = {static_cast<std::int64_t>(kind - 2)};
    }
    m_directives.push_back(std::move(flag));
    return true;
  }

  bool shareLoops() {
    if (m_directives.empty()) return false;
    const Directive one = oneOf(m_directives), other = oneOf(m_directives);
    const std::vector<LoopName> loops = loopsOf(other.func);
    if (one.func == other.func || loops.empty()) return false;
    m_directives.push_back({one.func,
                            one.stage,
                            Verb::ComputeWith,
                            {Level{other.func, other.stage, oneOf(loops)}},
                            {}});
    return true;
  }

  bool swapCalls() {
    if (m_directives.size() < 2) return false;
    const std::size_t at = below(m_directives.size() - 1);
    if (m_directives[at].func != m_directives[at + 1].func) return false;
    std::swap(m_directives[at], m_directives[at + 1]);
    return true;
  }

  std::vector<Directive> &m_directives;
  std::mt19937_64 &m_random;
};

} // namespace

std::string_view name(Operator op) { return kNames[static_cast<std::size_t>(op)]; }

bool mutate(std::vector<Directive> &directives, Operator op, std::mt19937_64 &random) {
  return Mutation(directives, random).apply(op);
}

} // namespace tessera::test
