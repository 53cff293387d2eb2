// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/kernel_alone.h"
#include "engine/schedule/schedule.h"

#include <string>

namespace tessera::measure {

// What a kernel computes and how, without the names of its funcs and loops, as 64 hex digits.
// Kernels of equal content take the same time, in whatever pipeline and schedule they are: the 32
// stencils of a chain, or a kernel that no change of the others has touched. `alone` is
// kernelAlone() of it.
std::string kernelContent(const schedule::Schedule &schedule, const KernelAlone &alone);

} // namespace tessera::measure
