// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/known_legality.h"

#include <vector>

namespace tessera::schedule {

// Repairs what the decision `changed` breaks, where there is one way to do so. Funcs in loops that
// are now between threads, or vectorised, move to a possible place. Unrolled and vectorised loops
// of a kernel whose length now depends on the size are split to a constant one. Funcs that are
// stored per thread and whose vectors would be misaligned get a layout in which these vectors are
// not contiguous. Frozen decisions stay.
//
// Checks the schedule on the machine of `legality` and returns the violations that remain, so
// callers need not check it again.
std::vector<Violation> mend(Schedule &schedule, const DecisionKey &changed,
                            KnownLegality &legality);

} // namespace tessera::schedule
