// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/frozen_decisions.h"
#include "engine/schedule/bounds/bounds_room.h"
#include "engine/schedule/schedule.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::search {

// How to compute a histogram or a scan that the output reads, along the dimensions whose index
// depends on data or on the previous step. None: these dimensions are tiled like others. Thread:
// each thread computes them completely. Block: each block computes them completely, and its threads
// share the work.
enum class Whole : std::uint8_t { None, Thread, Block };

// How the threads of a block compute a member with more points than threads. Each thread then
// computes several points, one after the other: its *turns*. Loops: the turns are iterations of a
// loop. Unrolled: that loop is unrolled, so that the loads of the turns do not wait for each other.
// Joined: like Loops, but if the first dimension alone occupies few threads, several dimensions are
// fused; those that a block computes completely come first. JoinedInOrder: like Joined, but fuses
// in the order of the dimensions; the cost model is too inaccurate for this, so only tuning tries
// it.
enum class Turns : std::uint8_t { Loops, Unrolled, Joined, JoinedInOrder };

// How a kernel's output is divided into blocks. There are threads along two dimensions, perhaps
// three, and each computes some points. A further dimension, if it is short, is a loop in each
// thread or has a block for each index.
struct Tile {
  std::array<std::int64_t, 2> threads{32, 8};
  std::array<std::int64_t, 2> points{1, 1};
  bool shortWhole = false;
  Whole longWhole = Whole::None;
  bool spread = true; // true: reductions into few points are spread over threads, with atomics
  // How many steps of a long reduction are unrolled; see unrolledSteps().
  std::int64_t steps = 1;
  Turns turns = Turns::Loops;
  // Like `spread`, but for members: sums into few points that a block computes.
  bool spreadMembers = false;
  // For partial results: a block computes one index of the output's last dimension, and the other
  // dimensions completely.
  bool strips = false;
  // For a sum that reads members with Placement::Step: the number of steps for which a block
  // fetches data at once. `steps` of these are unrolled. A thread's adjacent points become vectors,
  // because a compiler keeps fewer values in registers when there are many separate points.
  std::int64_t staged = 0;
  // Threads, and points per thread, along a third long dimension.
  std::int64_t deepThreads = 1, deepPoints = 1;

  friend bool operator==(const Tile &, const Tile &) = default;
  friend auto operator<=>(const Tile &, const Tile &) = default;
};

// Where a member is computed. Block: the threads of a block compute it together. Thread: each
// thread computes what it reads. Step: the threads of a block compute together what the next steps
// of a sum read; the sum is kept in the threads' registers.
enum class Placement : std::uint8_t { Block, Thread, Step };

struct Member {
  pipeline::FuncId func{};
  Placement placement = Placement::Block;

  friend bool operator==(const Member &, const Member &) = default;
};

// The funcs of one kernel: the output, which owns the blocks, and the members, which are computed
// inside of them. A group may be kept for longer than the schedule that it was found in. Functions
// that take a group with a schedule or a pipeline throw pipeline::ForeignId if it is of another.
struct Group {
  pipeline::FuncId output{};
  // Empty: withGroup() keeps the places and loops of the schedule.
  std::optional<Tile> tile = Tile{};
  std::vector<Member> members; // in ascending order, without the output
  pipeline::IdSpace ids = {};  // of the pipeline that the output and the members are funcs of

  std::vector<pipeline::FuncId> funcs() const; // with the output, in ascending order
  const Member *find(pipeline::FuncId func) const;
  bool isStaged() const; // whether any member has Placement::Step
};

// Writes a group into a schedule: the places and loops of all its funcs, with the frozen decisions
// kept. Empty if a member has no place around all of its readers, or if frozen decisions forbid it.
std::optional<schedule::Schedule> withGroup(const schedule::Schedule &schedule, const Group &group,
                                            const FrozenDecisions &frozen = {});
// A schedule into which a group was written, and the sizes of the group's funcs as far as they were
// needed to write it.
struct WrittenGroup {
  schedule::Schedule schedule;
  schedule::SizesSoFar sizes;
};
// Writes a group as above, with reusable memory. The sizes are valid until other sizes are found in
// `room`.
std::optional<WrittenGroup> withGroup(const schedule::Schedule &schedule, const Group &group,
                                      const FrozenDecisions &frozen, schedule::ShapeRoom &room);

// Inlines a func. Empty if frozen decisions forbid it.
std::optional<schedule::Schedule> withInlined(schedule::Schedule schedule, pipeline::FuncId func,
                                              const FrozenDecisions &frozen = {});

// A canonical tile, which is the same for all tiles that give the same loops. For example, many
// tiles are larger than the output.
Tile effective(const pipeline::Pipeline &pipeline, const Group &group, const Tile &tile,
               const FrozenDecisions &frozen);

// The kernels of a schedule as groups. A kernel is left out if it has funcs that are computed in
// host loops of other funcs, or in common loops with other funcs (compute_with).
std::vector<Group> groupsOf(const schedule::Schedule &schedule);

} // namespace tessera::search
