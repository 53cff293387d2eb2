// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace tessera::halide {

// The version of the linked Halide, in the form that files use: "21.0.0".
std::string halideVersion();

// Halide's reader follows every offset of a file without checks. This function walks the whole file
// first: each offset, table, vector and text must lie inside it, and the version must be that of
// the linked Halide. It cannot see damage in the values themselves; the checksum in the sidecar
// catches that.
Status checkPipelineFile(std::span<const std::uint8_t> bytes, const std::string &path);

} // namespace tessera::halide
