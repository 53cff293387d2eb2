// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/host/tools.h"
#include "engine/machine/machine.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::views {

// The descriptions of GPUs, as functions, so that a test needs no files. All block and may be
// called on any thread.
struct MachineService {
  std::function<std::vector<machine::Machine>()> list; // sorted by name
  std::function<Status(const machine::Machine &)> save;
  std::function<Status(const std::string &name)> remove;
};

MachineService machineService(const host::ToolPaths &tools);

} // namespace tessera::views
