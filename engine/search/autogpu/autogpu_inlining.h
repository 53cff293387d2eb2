// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_parameters.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <set>

namespace tessera::search {

// Whether a func is inlined before any cost is computed (section 4.1 of the paper), because its
// consumer reads it point by point, or because it costs no more than a load of its value.
bool isTrivialForAutoGpu(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

// The schedule in which only the trivial funcs (isTrivialForAutoGpu) are inlined, and each other
// func has a kernel. Funcs in `kept`, and those inlined into them, stay unchanged; so do funcs in
// `held`, but not those inlined into them.
schedule::Schedule withTrivialInlined(const schedule::Schedule &schedule,
                                      const std::set<pipeline::FuncId> &kept,
                                      const std::set<pipeline::FuncId> &held = {},
                                      AutoGpuTrivial trivial = AutoGpuTrivial::Once);

// Inlines one more func. Empty if it cannot be inlined, or if expressions get too long for a
// compiler.
std::optional<schedule::Schedule> withInlined(const schedule::Schedule &schedule,
                                              pipeline::FuncId func);

} // namespace tessera::search
