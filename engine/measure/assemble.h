// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"

#include <stop_token>
#include <string>
#include <vector>

namespace tessera::measure {

// Compiles a schedule as far as ptxas, for what that says of each kernel. `folder` is where the
// bundle goes. Blocking; run it as a job.
//
// An error of ErrorCode::Usage or System is of the machine or the installation, so that another
// schedule would meet it too; any other is of this schedule.
Result<std::vector<report::KernelReport>>
assemble(const ScheduledPipeline &pipeline, int registerCap, const machine::Machine &machine,
         ScheduleCompiler &compiler, const std::string &folder, std::stop_token stop = {},
         const job::ProgressCallback &progress = {});

} // namespace tessera::measure
