// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/compile_report.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

// What the reader of a lowered pipeline needs to know.
struct LoweredContext {
  std::map<std::string, std::int64_t> given; // estimated values by name: "input.extent.0", scalars
  std::map<std::string, std::uint32_t> stages; // number of stages of each func, by Halide's name
  std::map<std::string, std::string> made;     // Halide's name → the directives' name

  const std::string &nameOf(const std::string &func) const;
};

struct LoweredCounts {
  std::vector<report::KernelReport> kernels; // without names and shapes
  std::vector<report::DeviceAllocation> allocations;
};

// Counts in the code before the device code is separated from the host code: kernels are still
// loops in it.
LoweredCounts countKernels(const Halide::Internal::Stmt &lowered, const LoweredContext &context);

// The host's call of a kernel, found after the device code was separated from the host code. The
// calls come in the order of the code, which is the order of countKernels().
struct Launch {
  std::string kernel;
  std::array<std::int64_t, 3> blocks{}, threads{};
  std::int64_t sharedBytes = 0;
  bool known = true; // whether shape and shared bytes follow from the estimates
};
std::vector<Launch> launchesOf(const Halide::Internal::Stmt &host, const LoweredContext &context);

} // namespace tessera::halide
