// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/file/write_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::halide {

// Reads a whole file; an error names it. A file above `maxBytes` is refused before it is read.
Result<std::vector<std::uint8_t>> readFile(const std::string &path, std::size_t maxBytes);

using file::writeFile;

} // namespace tessera::halide
