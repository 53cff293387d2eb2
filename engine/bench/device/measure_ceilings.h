// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/ceilings.h"
#include "engine/bench/device/workbench.h"

#include <string>

namespace tessera::bench {

// Runs each kernel of ceiling_kernels.h for a few milliseconds, some times. A second or two in all,
// most of it the driver's compiler and the clocks that rise.
MeasuredCeilings measureCeilings(const Device &device, const std::string &program,
                                 const job::ProgressCallback &progress);

} // namespace tessera::bench
