// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <string>

namespace tessera::halide {

// Gives a func the loops, storage and place of one that nobody has scheduled: inlined, wrapped by
// no other func, without variants for special cases. An output keeps its bounds, which are promised
// to the caller. With `keepsLayout`, the order and the alignment of its storage stay: the function
// of an extern stage may count on them (boundaryFuncs()).
void removeSchedule(Halide::Internal::Function function, bool isOutput, bool keepsLayout);

// Whether a pipeline says how it is computed, beyond bounds of what is computed. Many generators
// schedule themselves, whoever asks.
bool hasOwnSchedule(const Halide::Pipeline &pipeline);

// Writes the pipeline in `path`, if it has such a schedule, to `into` without its schedule. Funcs
// that rfactor() has split off are funcs of the algorithm, and stay. Returns whether a file was
// written.
Result<bool> writeUnscheduled(const std::string &path, const std::string &sidecar,
                              const std::string &into);

} // namespace tessera::halide
