// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/choices.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::document {

// A possible new place for a func, as if its node were dragged: into another kernel, into a kernel
// of its own, or inlined into its readers.
//
// Other funcs move along if necessary. A func that is computed in the moved func's loops moves with
// it. A func that the moved func reads, and that would stay behind in its old kernel, gets a kernel
// of its own. Those places are not frozen, since the user did not choose them.
struct Move {
  enum class Kind : std::uint8_t { Inline, OwnKernel, Fuse };
  Kind kind = Kind::OwnKernel;
  int kernel = 0;               // of Fuse: the target kernel in launch order, from 1
  std::string with;             // of Fuse: the stage that owns the blocks of that kernel
  bool isNeighbour = true;      // of Fuse: whether one of the two kernels reads the other's result
  bool isThere = false;         // of Inline, OwnKernel: the func is already computed like that
  std::string moved;            // the func that moves; for Fuse it may be the target's func
  std::optional<Choice> choice; // the fastest legal place; nullopt: none is legal
  std::vector<std::string> along; // other funcs whose place changes too
  std::string refusal;            // why no place is legal; names the stage

  bool isLegal() const { return choice.has_value(); }
};

// Reports one Fuse move for each kernel that does not compute the stage, and the Inline and
// OwnKernel moves. They are reported as they are found, in no order. Frozen decisions stay, except
// that of the stage itself. Blocks; ends early on a stop request.
using MovesCallback = std::function<void(std::vector<Move>)>;
void movesOf(const schedule::Schedule &schedule, pipeline::StageId stage,
             const machine::Machine &machine, const std::stop_token &stop,
             const MovesCallback &found);

} // namespace tessera::document
