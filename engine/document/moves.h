// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/choices.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::document {

// Where a func could be computed instead, as one thinks of it when one drags its node about: in
// another kernel, in one of its own, or in the expressions that read it.
//
// What has to come along does: what is computed in the func's loops goes where it goes, and what it
// reads out of the kernel that it leaves becomes a kernel of its own. Those places stay free:
// nobody chose them.
struct Move {
  enum class Kind : std::uint8_t { Inline, OwnKernel, Fuse };
  Kind kind = Kind::OwnKernel;
  int kernel = 0;          // of a Fuse: that it would be in, in the order of the launches, from 1
  std::string with;        // of a Fuse: the stage that owns the blocks of that kernel
  bool isNeighbour = true; // of a Fuse: something there reads it, or it reads something
  std::string moved;       // the func that moves; of a Fuse it may be the one that is there
  std::optional<Choice> choice;   // the fastest of all ways that are legal; none: there is none
  std::vector<std::string> along; // funcs that have another place then, too
  std::string refusal;            // why there is no choice: names the stage

  bool isLegal() const { return choice.has_value(); }
};

// One for each kernel that does not compute the stage, and the two others, in no order; told as
// they are found. Decisions that are frozen stay, but that of the stage itself. Blocks; stops early
// when asked.
using MovesCallback = std::function<void(std::vector<Move>)>;
void movesOf(const schedule::Schedule &schedule, pipeline::StageId stage,
             const machine::Machine &machine, const std::stop_token &stop,
             const MovesCallback &found);

} // namespace tessera::document
