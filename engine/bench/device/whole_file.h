// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::bench {

// Returns the whole content of a file; fails if it cannot be read.
std::string readWholeFile(const std::string &path);

} // namespace tessera::bench
