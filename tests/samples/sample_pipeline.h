// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <string>

namespace tessera::samples {

// These functions make a registered sample callable in this process. Its arguments are the inputs,
// then the outputs. They are for tests only.

// The algorithm without its schedule. Every func is computed at root on the host.
Halide::Callable unscheduledOnHost(const std::string &name,
                                   const Halide::GeneratorParamsMap &parameters = {});

// The sample with its hand-written schedule, through Halide's OpenCL target.
Halide::Callable manualOnOpenCl(const std::string &name,
                                const Halide::GeneratorParamsMap &parameters = {});

// The numbers of definitions (pure and update) and of funcs of the unscheduled sample.
struct Counts {
  int funcs = 0;
  int stages = 0;
};
Counts countsOf(const std::string &name, const Halide::GeneratorParamsMap &parameters = {});

// False where no OpenCL device is installed.
bool haveOpenCl();

} // namespace tessera::samples
