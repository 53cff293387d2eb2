// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_load.h"
#include "engine/cost/time/kernel_time.h"
#include "engine/machine/machine.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace tessera::learn {

inline constexpr std::size_t kKernelFeatures = 62;
inline constexpr int kKernelFeaturesVersion = 1; // to be raised when a feature changes its meaning
using KernelFeatures = std::array<float, kKernelFeatures>;

// What a correction of the analytic model may depend on: the parts of a kernel's predicted time,
// its shape, and what its stages do. No feature names a pipeline or a machine. Sizes are logarithms
// to base two. `fromAssembler` tells whether the registers of `time` are those that ptxas reported.
KernelFeatures kernelFeaturesOf(const cost::KernelLoad &load, const cost::KernelTime &time,
                                double fromDram, bool fromAssembler,
                                const machine::Machine &machine);
std::string_view nameOfKernelFeature(std::size_t feature); // "part of issue", "registers"

} // namespace tessera::learn
