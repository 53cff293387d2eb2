// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <string>

namespace tessera::file {

// Reads the whole file. The error names the path and the system's reason.
Result<std::string> readFile(const std::string &path);
// Reads the first `bytes` of the file.
Result<std::string> readHead(const std::string &path, std::size_t bytes);

} // namespace tessera::file
