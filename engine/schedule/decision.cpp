// SPDX-License-Identifier: MIT
#include "engine/schedule/decision.h"

#include <algorithm>
#include <array>

namespace tessera::schedule {

namespace {
constexpr std::array<std::string_view, kDecisionKinds> kNames{
    "compute", "store", "hoist",     "storage",      "layout", "bounds",       "factors", "tails",
    "fusion",  "order", "reduction", "compute_with", "opaque", "register_cap", "promises"};
} // namespace

std::string_view name(DecisionKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<DecisionKind> decisionKindFromName(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<DecisionKind>(at - kNames.begin());
}

} // namespace tessera::schedule
