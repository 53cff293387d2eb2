// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/known_legality.h"

#include <vector>

namespace tessera::schedule {

// Takes along what another decision breaks, where that can be mended in one way: what is placed in
// loops that are now between threads, or vectorised, goes to where it can be; unrolled and
// vectorised loops of a kernel whose length now depends on the size are split, so that they have a
// constant one; and what a thread keeps is laid out so that vectors of it are no longer side by
// side, where they would not be aligned. What is frozen stays.
//
// Judged on the machine that the legality is of. Returns what is still wrong there: nobody who
// mends a schedule has to check it again.
std::vector<Violation> mend(Schedule &schedule, const DecisionKey &changed,
                            KnownLegality &legality);

} // namespace tessera::schedule
