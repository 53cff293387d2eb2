// SPDX-License-Identifier: MIT
#pragma once

#include "engine/block/stage_block.h"
#include "engine/machine/machine.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::block {

// What the user can pull at a drawn block to change the schedule: the threads along a dimension,
// the points that each thread computes along it, and the width of vectors.
enum class HandleKind : std::uint8_t { Threads, Points, Vector };
std::string_view name(HandleKind kind); // "threads"

struct BlockHandle {
  HandleKind kind = HandleKind::Threads;
  std::size_t blockDim = 0; // the block's dimension: 0, 1 or 2 for x, y or z
  schedule::LoopRef thread; // its thread loop in the stage's nest; an axis can have several
  std::string dim;          // name of the loop's axis: "x"
  std::int64_t value = 1;   // the present size
  std::string refusal;      // why it cannot be pulled at all; empty: it can

  friend bool operator==(const BlockHandle &, const BlockHandle &) = default;
};

// The handles of a stage, threads first, in the order of the block's dimensions. Empty if the stage
// has no thread loops. A stage that is computed in the threads of another stage has none.
std::vector<BlockHandle> handlesOf(const schedule::Schedule &schedule, pipeline::StageId stage);

// One size that a handle can be pulled to, and the resulting schedule.
struct HandleStop {
  std::int64_t value = 1;
  schedule::DecisionKey decision;
  std::string text;                           // the new value in words: "x: 16 threads"
  std::optional<schedule::Schedule> schedule; // the whole schedule after it; none: not legal
  double seconds = 0;                         // predicted for `schedule`
  std::shared_ptr<const StageBlock> block;    // of the stage
  std::string refusal;                        // why it is not legal

  bool isLegal() const { return schedule.has_value(); }
};

// All sizes of a handle in ascending order, including the present one. The call returns when all
// are checked; on a stop request it returns early, with the sizes checked so far.
std::vector<HandleStop> stopsOf(const schedule::Schedule &schedule, const machine::Machine &machine,
                                pipeline::StageId stage, const BlockHandle &handle,
                                const std::stop_token &stop = {});

// One step from a size to the next smaller or larger one that is legal.
enum class StepTo : std::uint8_t { Smaller, Larger };
struct HandleStep {
  const HandleStop *next = nullptr;    // null: there is no legal size in that direction
  const HandleStop *refused = nullptr; // the first size that is passed over as it is not legal
};
HandleStep stepFrom(std::int64_t value, const std::vector<HandleStop> &stops, StepTo to);

// The legal stop that is nearest to a value; null: there is none.
const HandleStop *nearestLegal(const std::vector<HandleStop> &stops, double value);

} // namespace tessera::block
