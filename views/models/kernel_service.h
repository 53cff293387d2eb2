// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/cost/roofline.h"
#include "engine/machine/machine.h"
#include "engine/session/tools.h"

#include <functional>
#include <string>

namespace tessera::views {

// A GPU, and the roofs that hold for it: measured where somebody has, else as its description says.
struct MachineFacts {
  machine::Machine machine;
  cost::Ceilings ceilings;
};

// What the panels about kernels need of the engine beside the schedule itself, as functions, so
// that a test can stand in for the files.
struct KernelService {
  std::function<Result<MachineFacts>(const std::string &name)> machine; // blocks; any thread
};

KernelService kernelService(const session::ToolPaths &tools);

} // namespace tessera::views
