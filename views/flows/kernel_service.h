// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/cost/roofline/roofline.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <functional>
#include <stop_token>
#include <string>

namespace tessera::views {

// A GPU and its roofs: measured ones if there are any, else those of its description.
struct MachineFacts {
  machine::Machine machine;
  cost::Ceilings ceilings;
};

// A schedule to compile, and the file from which its pipeline was read.
struct CompileWish {
  open::PipelineFiles file;
  schedule::Schedule schedule;
  machine::Machine machine;
};

// The result of a compilation. A missing text is empty; measure::missingText() says why.
struct CompiledTexts {
  report::CompileReport report;
  std::string loops, ptx, sass;
};

// What the kernel panels need from the engine besides the schedule, as functions, so that a test
// can replace the files.
struct KernelService {
  // These functions block and may be called on any thread.
  std::function<Result<MachineFacts>(const std::string &name)> machine;
  std::function<Result<CompiledTexts>(const CompileWish &, std::stop_token,
                                      const job::ProgressCallback &)>
      compile;
  std::string version; // Tessera's version, for exported schedules
};

KernelService kernelService(const host::ToolPaths &tools);

} // namespace tessera::views
