// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <array>
#include <utility>

namespace tessera::search {

// Caps (registers per thread) that a search tries. At 32, kernels with long loop bodies spilled
// registers on an H200. Above 128, fewer than 16 of the 64 warps fit on a multiprocessor.
inline constexpr std::array kRegisterCaps{64, 96, 128};
// Caps that a user may choose: multiples of the unit in which a GPU allocates registers, and the
// largest number that a thread may have.
inline constexpr std::array kOfferedCaps{32, 40, 48, 64, 80, 96, 128, 168, 255};

inline bool isRegisterCapFrozen(const schedule::Schedule &schedule) {
  return schedule.mark({{}, 0, schedule::DecisionKind::RegisterCap, 0}).frozen;
}

inline schedule::Schedule withRegisterCap(schedule::Schedule schedule, int cap) {
  schedule::Settings settings = schedule.settings();
  settings.registerCap = cap;
  schedule.set(std::move(settings));
  return schedule;
}

} // namespace tessera::search
