// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::halide {

// Reads a whole file; an error names it. A file above `maxBytes` is refused before it is read.
Result<std::vector<std::uint8_t>> readFile(const std::string &path, std::size_t maxBytes);

// Writes a temporary file, syncs it, renames it and syncs the folder, so that a reader sees either
// the old file or the new one.
Status writeFile(const std::string &path, std::span<const std::uint8_t> bytes);

} // namespace tessera::halide
