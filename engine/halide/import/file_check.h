// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace tessera::halide {

// The Halide version that this program links, as it stands in files: "21.0.0".
std::string halideVersion();

// Halide's reader follows every offset of a file unchecked. This walks the whole file first: each
// offset, table, vector and text must lie inside it, and the version must be ours. It cannot see
// damage in the values themselves; that is what the checksum in the sidecar is for.
Status checkPipelineFile(std::span<const std::uint8_t> bytes, const std::string &path);

} // namespace tessera::halide
