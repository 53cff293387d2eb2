// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/cost/roofline/roofline.h"
#include "engine/job/worker_client.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"
#include "engine/open/open.h"
#include "engine/host/tools.h"

#include <functional>
#include <stop_token>
#include <string>

namespace tessera::views {

// A GPU, and the roofs that hold for it: measured where somebody has, else as its description says.
struct MachineFacts {
  machine::Machine machine;
  cost::Ceilings ceilings;
};

// A schedule to compile, and the file that its pipeline was read from.
struct CompileWish {
  open::PipelineFiles file;
  schedule::Schedule schedule;
  machine::Machine machine;
};

// What came of it. A text that there is not is empty: measure::missingText() says why.
struct CompiledTexts {
  report::CompileReport report;
  std::string loops, ptx, sass;
};

// What the panels about kernels need of the engine beside the schedule itself, as functions, so
// that a test can stand in for the files.
struct KernelService {
  // All of them block; any thread.
  std::function<Result<MachineFacts>(const std::string &name)> machine;
  std::function<Result<CompiledTexts>(const CompileWish &, std::stop_token,
                                      const job::ProgressCallback &)>
      compile;
  std::string version; // of Tessera, for exported schedules
};

KernelService kernelService(const host::ToolPaths &tools);

} // namespace tessera::views
