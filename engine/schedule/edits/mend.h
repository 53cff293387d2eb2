// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/known_legality.h"

#include <vector>

namespace tessera::schedule {

// Repairs what another decision breaks, where there is one way to do so. Funcs in loops that are
// now between threads, or vectorised, move to a possible place. Unrolled and vectorised loops of a
// kernel whose length now depends on the size are split to a constant one. What a thread keeps is
// laid out so that its vectors are no longer contiguous, where they would not be aligned. Frozen
// decisions stay.
//
// Checks the schedule on the machine of `legality` and returns what is still wrong there, so
// callers need not check it again.
std::vector<Violation> mend(Schedule &schedule, const DecisionKey &changed,
                            KnownLegality &legality);

} // namespace tessera::schedule
