// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/search/tuning/measured_schedule.h"
#include "engine/search/search.h"

#include <optional>
#include <span>

namespace tessera::search {

// Whether a kernel of one schedule means the same in the other: with the same added stages, ids do;
// and the register cap is the same.
bool canExchangeKernels(const schedule::Schedule &a, const schedule::Schedule &b);

// A schedule with the kernels of others in place of its own, where those were faster for what both
// compute: two kernels are as good as one that computes the same funcs, whatever the rest does.
// Nothing where no part of any is faster. Its seconds are the sum of what was measured.
std::optional<Candidate> recombined(const MeasuredSchedule &base,
                                    std::span<const MeasuredSchedule *const> others,
                                    const machine::Machine &machine);

} // namespace tessera::search
