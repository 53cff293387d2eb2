// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/compile_report.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

// What reading a lowered pipeline goes by.
struct LoweredContext {
  std::map<std::string, std::int64_t> given;   // "input.extent.0" and scalars, by the estimates
  std::map<std::string, std::uint32_t> stages; // of every func, by Halide's name
  std::map<std::string, std::string> made;     // Halide's name → the directives'

  const std::string &nameOf(const std::string &func) const;
};

struct LoweredCounts {
  std::vector<report::KernelReport> kernels; // stages, counts and launches; no names, no shapes
  std::vector<report::DeviceAllocation> allocations;
};

// Walks the code before device code is cut out of it: kernels are loops there.
LoweredCounts countKernels(const Halide::Internal::Stmt &lowered, const LoweredContext &context);

// A kernel's call from the host, after device code was cut out. In the order of the code, which is
// that of countKernels.
struct Launch {
  std::string kernel;
  std::array<std::int64_t, 3> blocks{}, threads{};
  std::int64_t sharedBytes = 0;
  bool known = true; // its shape follows from the estimates
};
std::vector<Launch> launchesOf(const Halide::Internal::Stmt &host, const LoweredContext &context);

} // namespace tessera::halide
