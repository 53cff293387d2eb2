// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tessera::halide {

// The PTX or OpenCL source that a lowered module carries; empty where it has none.
std::string deviceCodeOf(const Halide::Module &module);

// The same module with other names of kernels, in the device code and where the host calls them.
// Halide's own have a number that counts all kernels of the process: the same schedule would not
// give the same bytes twice. `made` renames funcs in comments.
Halide::Module withKernelNames(const Halide::Module &module,
                               const std::map<std::string, std::string> &names,
                               const std::map<std::string, std::string> &made);

struct LineRange {
  std::uint32_t first = 0, count = 0; // from 1; count 0: not found
};
// Where a kernel stands in device code.
LineRange linesOfKernel(std::string_view code, std::string_view kernel);

// The same in machine code, as nvdisasm or cuobjdump writes it.
LineRange linesOfSass(std::string_view sass, std::string_view kernel);

std::string withKernelNames(std::string_view code, const std::map<std::string, std::string> &names);

// Halide's text of lowered loops with names that do not depend on what the process did before:
// `made` renames funcs, and temporaries (t17, halide_cuda_run_result$3) are numbered as they come.
std::string stableText(const Halide::Internal::Stmt &lowered,
                       const std::map<std::string, std::string> &made);

} // namespace tessera::halide
