// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <string>

namespace tessera::samples {

// Makes a registered sample callable in this process, in the order inputs, outputs. Test only.

// The algorithm without its schedule, every func at root on the host.
Halide::Callable unscheduledOnHost(const std::string &name,
                                   const Halide::GeneratorParamsMap &parameters = {});

// The hand-written schedule through Halide's OpenCL target.
Halide::Callable manualOnOpenCl(const std::string &name,
                                const Halide::GeneratorParamsMap &parameters = {});

// Number of definitions (pure and update) and of funcs that the unscheduled sample has.
struct Counts {
  int funcs = 0;
  int stages = 0;
};
Counts countsOf(const std::string &name, const Halide::GeneratorParamsMap &parameters = {});

// False where no OpenCL device is installed.
bool haveOpenCl();

} // namespace tessera::samples
