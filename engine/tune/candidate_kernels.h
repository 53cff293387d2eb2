// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/kernel_alone.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <vector>

namespace tessera::tune {

// A kernel of a candidate, to be compiled and measured as a pipeline of its own.
struct CandidateKernel {
  pipeline::FuncId output{}; // owns the blocks
  measure::KernelAlone alone;
  std::string content; // what its time is known by (kernel_content.h)
};

// All kernels of a schedule. Fails, with the reason, if one of them cannot be alone.
Result<std::vector<CandidateKernel>> kernelsOf(const schedule::Schedule &schedule);

} // namespace tessera::tune
