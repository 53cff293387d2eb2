// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device_description.h"
#include "engine/machine/machine.h"

#include <span>
#include <string>

namespace tessera::bench {

// The built-in machine that is the best source for values that cannot be queried. It has the same
// or the nearest compute capability, then a matching name, then the closest number of
// multiprocessors. Null if there is no CUDA machine.
const machine::Machine *nearestMachine(const DeviceDescription &device,
                                       std::span<const machine::Machine> known);

// The GPU as a machine to schedule for. Queried values name the driver as their source; the others
// come from `base`.
machine::Machine probedMachine(const DeviceDescription &device, const machine::Machine &base);

} // namespace tessera::bench
