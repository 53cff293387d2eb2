// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/found_calls.h"

#include <algorithm>

namespace tessera::schedule {

namespace {

constexpr Verb kBounds[] = {Verb::Bound, Verb::BoundExtent, Verb::AlignBounds};

// Removes each element of `taken` from `calls`, as often as `taken` has it.
template <typename Call>
void takeOut(std::vector<Call> &calls, const std::vector<Call> &taken) {
  for (const Call &call : taken)
    if (const auto at = std::ranges::find(calls, call); at != calls.end()) calls.erase(at);
}

} // namespace

bool saysBoundsAlone(const FoundCalls &found) {
  const auto isBound = [](const Directive &directive) {
    return std::ranges::find(kBounds, directive.verb) != std::end(kBounds);
  };
  const auto isBoundText = [](const OtherCall &call) {
    return std::ranges::any_of(kBounds, [&](Verb verb) {
      return call.text.starts_with(std::string(signature(verb).name) + "(");
    });
  };
  return std::ranges::all_of(found.directives, isBound) &&
         std::ranges::all_of(found.others, isBoundText);
}

FoundCalls beyond(const FoundCalls &algorithm, FoundCalls scheduled) {
  takeOut(scheduled.directives, algorithm.directives);
  takeOut(scheduled.others, algorithm.others);
  takeOut(scheduled.promises, algorithm.promises);
  takeOut(scheduled.unsaidPromises, algorithm.unsaidPromises);
  return scheduled;
}

} // namespace tessera::schedule
