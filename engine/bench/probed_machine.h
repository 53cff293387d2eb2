// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device_description.h"
#include "engine/machine/machine.h"

#include <span>
#include <string>

namespace tessera::bench {

// The known CUDA machine that is the best source for values that cannot be queried: the one with
// the nearest compute capability; among equals, one with a matching name, then the one with the
// closest number of multiprocessors. Null if there is no CUDA machine.
const machine::Machine *nearestMachine(const DeviceDescription &device,
                                       std::span<const machine::Machine> known);

// The GPU as a machine to schedule for. Queried values name the driver as their source; the others
// come from `base`.
machine::Machine probedMachine(const DeviceDescription &device, const machine::Machine &base);

} // namespace tessera::bench
