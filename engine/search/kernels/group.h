// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/search/kernels/frozen_decisions.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::search {

// How to compute a histogram or a scan that the output reads, along the dimensions where data, or
// the step before, choose the place. None: these dimensions are cut like others. Thread: each
// thread computes them whole. Block: each block does, and its threads share the work.
enum class Whole : std::uint8_t { None, Thread, Block };

// How the threads of a block work through a member. Loops: in a loop of turns. Unrolled: the turns
// are unrolled, so that their loads do not wait for each other. Joined: in a loop, after fusing
// several dimensions if the first alone occupies few threads; dimensions that a block has whole
// come first. JoinedInOrder: the same in the order of the dimensions, for which the cost model is
// too inaccurate.
enum class Turns : std::uint8_t { Loops, Unrolled, Joined, JoinedInOrder };

// How a kernel's output is divided into blocks. There are threads along two dimensions, perhaps
// three, and each computes some points. A short further dimension is computed whole in each thread,
// or has blocks of its own.
struct Tile {
  std::array<std::int64_t, 2> threads{32, 8};
  std::array<std::int64_t, 2> points{1, 1};
  bool shortWhole = false;
  Whole longWhole = Whole::None;
  bool spread = true;     // sums into few points are spread over their reduction, with atomics
  std::int64_t steps = 1; // unrolled steps of reductions that are too long to be unrolled whole
  Turns turns = Turns::Loops;
  // The same as `spread`, for sums into few points that a block computes.
  bool spreadMembers = false;
  // For partial results: a block has one index of the output's last dimension, and the whole of the
  // others.
  bool strips = false;
  // For a sum with members in its steps: the number of steps that a block fetches at once. `steps`
  // of them are unrolled. A thread's adjacent points become vectors, because a compiler keeps fewer
  // values in registers when there are many separate points.
  std::int64_t staged = 0;
  // Threads and points of each thread along a third long dimension.
  std::int64_t deepThreads = 1, deepPoints = 1;

  friend bool operator==(const Tile &, const Tile &) = default;
  friend auto operator<=>(const Tile &, const Tile &) = default;
};

// Where a member is computed. Block: by the threads of each block together. Thread: by each thread
// for itself. Step: by the threads together, for the next steps of a sum that reads the member; the
// sum is kept in the threads' registers.
enum class Placement : std::uint8_t { Block, Thread, Step };

struct Member {
  pipeline::FuncId func{};
  Placement placement = Placement::Block;

  friend bool operator==(const Member &, const Member &) = default;
};

// The funcs of one kernel: the output, which owns the blocks, and the members, which are computed
// inside of them.
struct Group {
  pipeline::FuncId output{};
  std::optional<Tile> tile = Tile{}; // empty: places and loops stay as in the schedule
  std::vector<Member> members;       // in ascending order, without the output

  std::vector<pipeline::FuncId> funcs() const; // with the output, in ascending order
  const Member *find(pipeline::FuncId func) const;
  bool isStaged() const; // whether any member has Placement::Step
};

// Writes a group into a schedule: the places and loops of all its funcs, with the frozen decisions
// kept. Empty if a member has no place around all of its readers, or if frozen decisions forbid it.
std::optional<schedule::Schedule> withGroup(const schedule::Schedule &schedule, const Group &group,
                                            const FrozenDecisions &frozen = {});
// A schedule with a group, and those sizes of its outermost funcs that were needed to write it.
struct WrittenGroup {
  schedule::Schedule schedule;
  schedule::SizesSoFar sizes;
};
// The same with reusable memory. The sizes are valid until something else is measured in `room`.
std::optional<WrittenGroup> withGroup(const schedule::Schedule &schedule, const Group &group,
                                      const FrozenDecisions &frozen, schedule::ShapeRoom &room);

// Inlines a func. Empty if frozen decisions forbid it.
std::optional<schedule::Schedule> withInlined(schedule::Schedule schedule, pipeline::FuncId func,
                                              const FrozenDecisions &frozen = {});

// A canonical tile, which is the same for all tiles that give the same loops. For example, many
// tiles are larger than the output.
Tile effective(const pipeline::Pipeline &pipeline, const Group &group, const Tile &tile,
               const FrozenDecisions &frozen);

// The kernels of a schedule as groups. A kernel is left out if it has funcs that are computed on
// the host inside of other funcs' loops, or together with other funcs (compute_with).
std::vector<Group> groupsOf(const schedule::Schedule &schedule);

} // namespace tessera::search
