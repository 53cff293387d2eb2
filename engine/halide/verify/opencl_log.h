// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tessera::halide {

// Says in a few words why OpenCL code did not compile: the functions that Halide's code calls
// though nothing defines them, or else the compiler's first error. Empty if `complaint`, which the
// runtime made of the whole log of the compiler, is about something else.
std::string openClFault(std::string_view complaint);

} // namespace tessera::halide
