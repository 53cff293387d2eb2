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

// Who has whole what data or the step before choose the place along, in a histogram or a scan that
// is read: nobody, each thread, or each block, spread over its threads.
enum class Whole : std::uint8_t { None, Thread, Block };

// How the threads of a block share out what it has of a member: in a loop of turns; in turns that
// are unrolled, so that their loads do not wait for one another; or in a loop again, with several
// dimensions joined where the first alone has work for few of the threads: those that a block has
// whole before the others, or all in their order, of which our cost knows too little.
enum class Turns : std::uint8_t { Loops, Unrolled, Joined, JoinedInOrder };

// How the blocks of a kernel cut up its output: along two dimensions so many threads, each of which
// computes so many points, and perhaps along a third; a short further dimension whole in each
// thread, or in blocks of its own.
struct Tile {
  std::array<std::int64_t, 2> threads{32, 8};
  std::array<std::int64_t, 2> points{1, 1};
  bool shortWhole = false;
  Whole longWhole = Whole::None;
  bool spread = true;     // sums into few points over their reduction, atomically
  std::int64_t steps = 1; // unrolled, of reductions that are too long to be whole
  Turns turns = Turns::Loops;
  // Sums into few points that a block computes are spread over their reduction, atomically.
  bool spreadMembers = false;
  // A block has one index of the output's last dimension, and all of the others: partial results.
  bool strips = false;
  // Of the reduction of a sum, in a group with members in its steps: how many its block fetches for
  // at once. `steps` of them are unrolled. Neighbours among a thread's points are vectors then: the
  // more of them are apart, the less a compiler keeps in registers.
  std::int64_t staged = 0;
  // Along a third long dimension: so many threads, each of which computes so many points.
  std::int64_t deepThreads = 1, deepPoints = 1;

  friend bool operator==(const Tile &, const Tile &) = default;
  friend auto operator<=>(const Tile &, const Tile &) = default;
};

// Where a member is computed: by the threads of each block together, by each thread for itself, or
// by the threads together each time that a sum of theirs has gone on by so many steps, for these.
// The sum that reads the last of these is kept in the registers of the threads.
enum class Placement : std::uint8_t { Block, Thread, Step };

struct Member {
  pipeline::FuncId func{};
  Placement placement = Placement::Block;

  friend bool operator==(const Member &, const Member &) = default;
};

// The funcs of one kernel: its output, whose blocks it has, and what is computed inside of them.
struct Group {
  pipeline::FuncId output{};
  std::optional<Tile> tile = Tile{}; // none: places and loops as they are in the schedule
  std::vector<Member> members;       // by rising number, the output not

  std::vector<pipeline::FuncId> funcs() const; // the output too, by rising number
  const Member *find(pipeline::FuncId func) const;
  bool isStaged() const; // whether any member is computed in steps
};

// Writes a group into a schedule: places and loops of all its funcs, around what is frozen. Nothing
// where a member has no place that all its readers are in, or what is frozen does not allow it.
std::optional<schedule::Schedule> withGroup(const schedule::Schedule &schedule, const Group &group,
                                            const FrozenDecisions &frozen = {});
// A schedule with a group, and the sizes of its outermost funcs, as far as writing it had to know
// them.
struct WrittenGroup {
  schedule::Schedule schedule;
  schedule::SizesSoFar sizes;
};
// The same, in room that is kept for the next: the sizes stand until something else is measured
// there.
std::optional<WrittenGroup> withGroup(const schedule::Schedule &schedule, const Group &group,
                                      const FrozenDecisions &frozen, schedule::ShapeRoom &room);

// A func computed in the expressions of those that read it; nothing where what is frozen does not
// allow it.
std::optional<schedule::Schedule> withInlined(schedule::Schedule schedule, pipeline::FuncId func,
                                              const FrozenDecisions &frozen = {});

// One of the tiles that a group is written alike with: the output may be smaller than a tile, and
// then many are one.
Tile effective(const pipeline::Pipeline &pipeline, const Group &group, const Tile &tile,
               const FrozenDecisions &frozen);

// The kernels of a schedule, as they are. Not those that no group stands for, with funcs that are
// computed on the host inside of another's loops, or together with another.
std::vector<Group> groupsOf(const schedule::Schedule &schedule);

} // namespace tessera::search
