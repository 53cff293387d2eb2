// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::schedule {

// One change of one decision. A change of the compute place also replaces the func's loops by loops
// that are legal at the new place.
struct Edit {
  DecisionKey decision;
  std::string value; // the new value in words: "at output: x_block", "shared", "x: 8"
  FuncPlan plan;     // the func's new plan
};

// The schedule that results from an edit and from the changes that the edit required (mend.h), and
// the rules that this schedule breaks.
struct Applied {
  Schedule schedule;
  std::vector<Violation> violations;

  bool isLegal() const { return violations.empty(); }
};
// `origin` goes into the mark of the decision. The schedule is checked on the machine of
// `legality`.
Applied applied(const Schedule &schedule, const Edit &edit, Origin origin, KnownLegality &legality);

// The edits that could be tried next, legal or not: each place, storage and tail, factors of a
// fixed list, kinds of loops, exchanges of adjacent loops. A random walk over them reaches every
// combination of these decisions.
std::vector<Edit> proposals(const Schedule &schedule, pipeline::StageId stage);

// The edits that give one part of an axis `size` iterations: each part except the outermost of each
// axis, or a new innermost part. They include edits that would change nothing, so that a caller can
// say so. Empty for an inlined stage, and for a size below 1 or above kMostIterations.
inline constexpr std::int64_t kMostIterations = 1'000'000;
std::vector<Edit> resizings(const Schedule &schedule, pipeline::StageId stage, std::int64_t size);

// The proposals that keep a legal schedule legal.
std::vector<Edit> edits(const Schedule &schedule, pipeline::StageId stage,
                        const machine::Machine &machine);

// The edit that gives one part of an axis another size; the parts inside of it keep theirs. `part`
// is not the outermost.
Edit resized(const Schedule &schedule, pipeline::StageId stage, LoopRef part, std::int64_t size);
// The edit that adds `count` unrolled copies inside of the innermost part of an axis.
Edit withCopies(const Schedule &schedule, pipeline::StageId stage, std::uint16_t axis,
                std::int64_t count);

} // namespace tessera::schedule
