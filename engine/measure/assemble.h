// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/compile.h"
#include "engine/base/result.h"
#include "engine/machine/machine.h"

#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// Compiles a schedule as far as ptxas, to get what ptxas reports about each kernel. `folder`
// receives the bundle. Blocking; run it as a job.
//
// An error with ErrorCode::Usage or System comes from the machine or the installation, so every
// other schedule would fail too. Any other error comes from this schedule.
Result<std::vector<report::KernelReport>>
assemble(const ScheduledPipeline &pipeline, int registerCap, const machine::Machine &machine,
         ScheduleCompiler &compiler, const std::string &folder, std::stop_token stop = {},
         const job::ProgressCallback &progress = {});

} // namespace tessera::measure
