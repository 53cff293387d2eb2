// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/rules/known_legality.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <vector>

namespace tessera::schedule {

// One change of one decision. Another compute place brings the loops that fit it along.
struct Edit {
  DecisionKey decision;
  std::string value; // what it is changed to, for a person: "at output: x_block", "shared", "x: 8"
  FuncPlan plan;     // the func's new one
};

// A schedule after an edit, with what that took along (mend.h), and what is wrong with it.
struct Applied {
  Schedule schedule;
  std::vector<Violation> violations;

  bool isLegal() const { return violations.empty(); }
};
// By user or search, judged on the machine of the legality.
Applied applied(const Schedule &schedule, const Edit &edit, Origin origin, KnownLegality &legality);

// What could be asked for next, legal or not: every place, storage, factor, order, tail. A random
// walk over these reaches the whole space of core moves.
std::vector<Edit> proposals(const Schedule &schedule, pipeline::StageId stage);

// Those that leave a legal schedule legal.
std::vector<Edit> edits(const Schedule &schedule, pipeline::StageId stage,
                        const machine::Machine &machine);

} // namespace tessera::schedule
