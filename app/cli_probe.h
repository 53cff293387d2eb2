// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/device_description.h"
#include "engine/machine/machine.h"
#include "engine/host/tools.h"

namespace tessera::app {

// A GPU as a machine to schedule for; what it does not tell is of the shipped machine that is
// nearest to it.
Result<machine::Machine> machineOf(const bench::DeviceDescription &device,
                                   const host::ToolPaths &tools);

} // namespace tessera::app
