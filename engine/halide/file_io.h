// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::halide {

// A whole file, or an error that names it. Files above `maxBytes` are refused before they are read.
Result<std::vector<std::uint8_t>> readFile(const std::string &path, std::size_t maxBytes);

// Temporary, fsync, rename, fsync of the folder: a reader sees the old file or the new one.
Status writeFile(const std::string &path, std::span<const std::uint8_t> bytes);

} // namespace tessera::halide
