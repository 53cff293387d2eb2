// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// Decisions in words, for tables, menus and messages.

// "own kernel", "inline", "at output: x_block".
std::string textOf(const Schedule &schedule, const Place &place);
// "compute place", "tile", "register cap".
std::string_view wordFor(DecisionKind kind);
// "compute place of blur_x", "tile of blur_x along x", "register cap".
std::string subjectOf(const Schedule &schedule, const DecisionKey &decision);
// "at output: x_block", "8, 4"; empty where the value would take too many words.
std::string valueOf(const Schedule &schedule, const DecisionKey &decision);

// The columns of a table of all decisions, each with an example of its cells. The table has a row
// for each stage and one for the whole schedule.
enum class DecisionColumn : std::uint8_t {
  Compute,   // own kernel
  Store,     // place of storage or allocation, if further out than computation
  Memory,    // shared
  Tile,      // x 32×4 · y 8: iterations of all parts of each axis except the outermost
  Loops,     // from the outside in: block y x · thread y x · serial c
  Unroll,    // x 4
  Vector,    // x 2
  Tails,     // guard_with_if, or x auto · y guard_with_if where they differ
  Reduction, // atomic
  Other,     // layout, bounds, loops shared by compute_with, opaque directives
  Registers, // register cap per thread, for the whole schedule
};
inline constexpr int kDecisionColumns = 11;
std::string_view name(DecisionColumn column); // "compute"

// The text of a cell, empty where nothing is decided. For an inlined stage, only the cell of its
// place has text.
std::string cellText(const Schedule &schedule, pipeline::StageId stage, DecisionColumn column);
// A cell in the row for the whole schedule.
std::string settingText(const Schedule &schedule, DecisionColumn column);

// The decisions that a cell shows. Which loops are unrolled or vectorised belongs to the decision
// Order, so the cells for unrolled loops and for vectorised loops show Order, too.
std::vector<DecisionKey> decisionsIn(const Schedule &schedule, pipeline::StageId stage,
                                     DecisionColumn column);
std::vector<DecisionKey> settingsIn(DecisionColumn column);
// All decisions of a stage, as its row shows them; without a stage, those of the whole schedule.
// Those of an update include the place where its func is computed: whoever freezes an update's
// loops wants them to stay where they are.
std::vector<DecisionKey> decisionsOf(const Schedule &schedule,
                                     std::optional<pipeline::StageId> stage);
// The opaque directives of a schedule, each with the stage that carries it and as Halide's call.
struct OpaqueCall {
  pipeline::StageId stage{};
  std::string call;
};
std::vector<OpaqueCall> opaqueCalls(const Schedule &schedule);

// How many of these decisions are frozen.
std::size_t frozenAmong(const Schedule &schedule, std::span<const DecisionKey> decisions);

} // namespace tessera::schedule
