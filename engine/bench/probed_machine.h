// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device_description.h"
#include "engine/machine/machine.h"

#include <span>
#include <string>

namespace tessera::bench {

// Of the machines that ship with the program, the one that knows best what cannot be asked: of the
// same compute capability, else of the nearest, and then with as many multiprocessors as can be.
// Null where there is none for CUDA.
const machine::Machine *nearestMachine(const DeviceDescription &device,
                                       std::span<const machine::Machine> known);

// The GPU as a machine to schedule for. What was asked says so as its source; the rest is `base`'s.
machine::Machine probedMachine(const DeviceDescription &device, const machine::Machine &base);

} // namespace tessera::bench
