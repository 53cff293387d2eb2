// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <span>
#include <string>

namespace tessera::halide {

// The target, with the types that this machine's OpenCL devices compute in beside integers and
// float32. Halide's code for OpenCL takes each of them only where the target says so.
Halide::Target withTypesOfDevices(const Halide::Target &openCl);

// The same for devices with these lists of extensions: a type counts if every device has it, since
// Halide's runtime chooses one of them.
Halide::Target withTypesOf(std::span<const std::string> extensions, Halide::Target openCl);

// Refuses a pipeline that has a type which the target for OpenCL lacks, and names the func.
Status checkTypesForOpenCl(const Halide::Pipeline &pipeline, const Halide::Target &openCl);

} // namespace tessera::halide
