// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/workbench.h"
#include "engine/bench/ceilings.h"

#include <string>

namespace tessera::bench {

// Runs each kernel of ceiling_kernels.h several times for a few milliseconds. It takes a second or
// two in all, mostly for the driver's compiler and for raising the clocks.
MeasuredCeilings measureCeilings(const Device &device, const std::string &program,
                                 const job::ProgressCallback &progress);

} // namespace tessera::bench
