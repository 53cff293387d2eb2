// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/tuning/measured_schedule.h"
#include "engine/machine/machine.h"
#include "engine/search/search.h"

#include <optional>
#include <span>

namespace tessera::search {

// Whether kernels of one schedule can replace those of the other. Both need the same added stages,
// so that ids mean the same, and the same settings, such as the register cap.
bool canExchangeKernels(const schedule::Schedule &a, const schedule::Schedule &b);

// A copy of `base` with kernels of the other schedules, where these computed the same funcs faster.
// Two kernels may replace one that computes the same funcs, since kernels do not affect each
// other's time. Empty if nothing is faster. The candidate's `seconds` follow from the measured
// times of `base` and of the exchanged kernels.
std::optional<Candidate> recombined(const MeasuredSchedule &base,
                                    std::span<const MeasuredSchedule *const> others,
                                    const machine::Machine &machine);

} // namespace tessera::search
