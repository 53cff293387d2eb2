// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <functional>
#include <optional>
#include <vector>

namespace tessera::search {

// Where a func may be computed inside of its readers' kernel (section 6 of Anderson et al. 2021).
// Nothing where the readers have no such place in common.
struct BeamPlaces {
  std::optional<pipeline::StageId> anchor; // in whose blocks all readers run
  std::optional<schedule::Place> block, thread;
};

// `isOpen` says whether something may be computed inside of a func's kernel.
BeamPlaces placesOf(const schedule::Schedule &schedule, pipeline::FuncId func,
                    const std::function<bool(pipeline::FuncId)> &isOpen);

// The stages of other funcs that read a func, directly or through inlined funcs, each once.
std::vector<pipeline::StageId> otherReadersOf(const schedule::Schedule &schedule,
                                              pipeline::FuncId func);

} // namespace tessera::search
