// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tessera::halide {

// The PTX or OpenCL source that a lowered module contains; empty if there is none.
std::string deviceCodeOf(const Halide::Module &module);

// The same module with other kernel names, in the device code and in the host's calls. Halide's own
// names contain a number that counts all kernels of the process, so the same schedule would not
// give the same bytes twice. `made` renames funcs in the comments of PTX.
Halide::Module withKernelNames(const Halide::Module &module,
                               const std::map<std::string, std::string> &names,
                               const std::map<std::string, std::string> &made);

struct LineRange {
  std::uint32_t first = 0, count = 0; // `first` counts from 1; `count` 0: not found
};
// The lines of a kernel in device code.
LineRange linesOfKernel(std::string_view code, std::string_view kernel);

// The lines of a kernel in machine code, as nvdisasm or cuobjdump writes it.
LineRange linesOfSass(std::string_view sass, std::string_view kernel);

std::string withKernelNames(std::string_view code, const std::map<std::string, std::string> &names);

// Halide's text of lowered loops, with names that do not depend on what the process did before:
// `made` renames funcs, and temporaries (t17, halide_cuda_run_result$3) are renumbered in order of
// appearance.
std::string stableText(const Halide::Internal::Stmt &lowered,
                       const std::map<std::string, std::string> &made);

} // namespace tessera::halide
