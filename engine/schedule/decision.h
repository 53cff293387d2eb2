// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/schedule/words/words.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace tessera::schedule {

// The decisions that can be made, shown, frozen and compared one by one.
enum class DecisionKind : std::uint8_t {
  Compute,
  Store,
  Hoist,
  Storage,
  Layout,    // order of the storage dimensions, alignment, bound, fold
  Bounds,    // promises about the computed region
  Factors,   // chain of split factors of one axis
  Tails,     // tails of one axis
  Fusion,    // which loops the fused axes are made of
  Order,     // order of the loops, and the kind of each
  Reduction, // atomic, races allowed
  ComputeWith,
  Opaque,      // calls that no other decision can say
  RegisterCap, // for the whole schedule, not for a func
  Promises,    // guarantees of the caller, for the whole schedule
};
inline constexpr int kDecisionKinds = 15;
std::string_view name(DecisionKind kind);
std::optional<DecisionKind> decisionKindFromName(std::string_view name);

// Names one decision. `stage` is the index within the func. `axis` is used only for factors and
// tails; in a Violation, it may name the axis of any refused loop.
struct DecisionKey {
  pipeline::FuncId func{};
  std::uint32_t stage = 0;
  DecisionKind kind = DecisionKind::Compute;
  std::uint16_t axis = 0;

  friend auto operator<=>(const DecisionKey &, const DecisionKey &) = default;
};

// Who made a decision, and whether a search may change it.
struct Mark {
  Origin origin = Origin::Search;
  bool frozen = false;

  friend bool operator==(const Mark &, const Mark &) = default;
};

using Marks = std::map<DecisionKey, Mark>; // a decision without an entry has the default mark

} // namespace tessera::schedule
