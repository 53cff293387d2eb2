// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/device_description.h"
#include "engine/host/tools.h"
#include "engine/machine/machine.h"

namespace tessera::app {

// The GPU as a machine to schedule for. Values that it does not report come from the nearest
// shipped machine.
Result<machine::Machine> machineOf(const bench::DeviceDescription &device,
                                   const host::ToolPaths &tools);

} // namespace tessera::app
