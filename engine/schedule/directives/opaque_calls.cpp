// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/opaque_calls.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace tessera::schedule {

namespace {

using Calls = std::vector<OpaqueDirective>;
using NewNames = std::map<std::string, std::string>;

bool isVariant(const OpaqueDirective &call) { return call.verb == Verb::Specialize; }
bool makesLoops(const OpaqueDirective &call) {
  return !isVariant(call) && call.verb != Verb::SpecializeFail;
}

Calls loopCallsIn(const Calls &calls) {
  Calls loops;
  std::ranges::copy_if(calls, std::back_inserter(loops), makesLoops);
  return loops;
}

OpaqueDirective *variantNumbered(Calls &calls, std::uint32_t number) {
  for (OpaqueDirective &call : calls)
    if (isVariant(call) && number-- == 0) return &call;
  return nullptr;
}

// Before the loops come variants with loops of their own, behind them those that copy the loops.
void order(Calls &calls) {
  const auto rank = [](const OpaqueDirective &call) {
    return comesBeforeLoops(call) ? 0 : makesLoops(call) ? 1 : 2;
  };
  std::ranges::stable_sort(calls, {}, rank);
}

// Finds out which variants follow the loops of what they are variants of, made by the calls
// `loops`.
void findOwnLoops(Calls &calls, const Calls &loops) {
  // The first variant whose condition holds is taken, so their order stays: none that follows is
  // before one with its own loops.
  bool isBeforeOwn = false;
  for (std::size_t i = calls.size(); i-- > 0;) {
    OpaqueDirective &call = calls[i];
    if (!isVariant(call)) continue;
    const Calls made = loopCallsIn(call.calls);
    findOwnLoops(call.calls, made);
    call.hasOwnLoops =
        isBeforeOwn || made != loops || std::ranges::any_of(call.calls, comesBeforeLoops);
    if (!call.hasOwnLoops) std::erase_if(call.calls, makesLoops);
    isBeforeOwn = call.hasOwnLoops;
  }
  order(calls);
}

// Whether an argument names a loop that the call makes.
bool makesLoop(Verb verb, std::size_t argument) {
  return (verb == Verb::Split && (argument == 1 || argument == 2)) ||
         (verb == Verb::Fuse && argument == 2);
}

void collectMade(const Calls &calls, std::set<std::string> &made) {
  for (const OpaqueDirective &call : calls) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (makesLoop(call.verb, i)) made.insert(std::get<LoopName>(call.arguments[i]).name);
    collectMade(call.calls, made);
  }
}

// Renames the loops that calls make. A loop may be made with the name of the loop that is split, so
// `current` has what a name stands for at a call.
void rename(OpaqueDirective &call, const NewNames &made, NewNames &current) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    auto *loop = std::get_if<LoopName>(&call.arguments[i]);
    if (!loop) continue;
    if (makesLoop(call.verb, i)) {
      const auto to = made.find(loop->name);
      current[loop->name] = to == made.end() ? loop->name : to->second;
    }
    if (const auto now = current.find(loop->name); now != current.end()) loop->name = now->second;
  }
  NewNames ofVariant = call.hasOwnLoops ? NewNames() : current;
  for (OpaqueDirective &inside : call.calls)
    rename(inside, made, ofVariant);
}

// Every final loop of the stage by the name that the author gave it.
void shareNames(OpaqueDirective &opaque, const LoopNames &names, const LoopNest &nest,
                const NestBuilder &loops) {
  std::set<std::string> made, taken;
  for (const Loop &loop : nest.loops)
    taken.insert(names.of(loop.ref).name);
  collectMade(opaque.calls, made);
  if (!isVariant(opaque))
    for (const Argument &argument : opaque.arguments)
      if (const auto *loop = std::get_if<LoopName>(&argument)) made.insert(loop->name);
  NewNames renamed;
  for (const std::string &name : made) {
    const auto ref = loops.find(name);
    if (ref && nest.find(*ref)) {
      renamed[name] = names.of(*ref).name;
      opaque.shared.emplace_back(renamed[name], *ref);
    } else if (taken.contains(name)) {
      // No func that is computed in that loop of the stage may find this one.
      std::string other = name + "_variant";
      while (taken.contains(other) || made.contains(other))
        other += '_';
      renamed[name] = other;
    }
  }
  std::ranges::sort(opaque.shared);
  NewNames current = isVariant(opaque) ? NewNames() : renamed;
  rename(opaque, renamed, current);
}

} // namespace

bool comesBeforeLoops(const OpaqueDirective &opaque) { return opaque.hasOwnLoops; }

void OpaqueCalls::say(const Directive &directive) {
  m_loops.push_back({directive.verb, directive.arguments, false, {}, {}});
}

Status OpaqueCalls::add(const Directive &directive) {
  Calls *calls = &m_calls;
  const Calls *loops = &m_loops;
  for (const std::uint32_t number : directive.variant) {
    OpaqueDirective *variant = variantNumbered(*calls, number);
    if (!variant)
      return Error{ErrorCode::InputRefused,
                   "there is no variant " + std::to_string(number) + " before this call", ""};
    calls = &variant->calls;
    loops = calls;
  }
  OpaqueDirective call{directive.verb, directive.arguments, false, {}, {}};
  if (isVariant(call)) call.calls = loopCallsIn(*loops);
  if (directive.variant.empty() && makesLoops(call)) m_loops.push_back(call);
  calls->push_back(std::move(call));
  return Done{};
}

std::vector<OpaqueDirective> OpaqueCalls::finished(const pipeline::Stage &stage,
                                                   const NestBuilder &loops) && {
  if (m_calls.empty()) return {};
  findOwnLoops(m_calls, m_loops);
  const LoopNest nest = loops.nest();
  const LoopNames names(stage, nest);
  for (OpaqueDirective &call : m_calls)
    shareNames(call, names, nest, loops);
  return std::move(m_calls);
}

OpaqueDirective withNamesIn(OpaqueDirective opaque, const LoopNames &names, const LoopNest &nest) {
  NewNames renamed;
  for (auto &[name, ref] : opaque.shared)
    if (nest.find(ref) && names.of(ref).name != name) renamed[name] = names.of(ref).name;
  if (renamed.empty()) return opaque;
  NewNames current = isVariant(opaque) ? NewNames() : renamed;
  rename(opaque, renamed, current);
  return opaque;
}

void appendDirectives(std::vector<Directive> &directives, const OpaqueDirective &opaque,
                      const std::string &func, std::uint32_t stage, const VariantPath &variant) {
  directives.push_back({func, stage, opaque.verb, opaque.arguments, {}, variant});
  if (!isVariant(opaque)) return;
  const VariantPath made = variantMadeBy(directives, directives.size() - 1);
  for (const OpaqueDirective &call : opaque.calls)
    appendDirectives(directives, call, func, stage, made);
}

} // namespace tessera::schedule
