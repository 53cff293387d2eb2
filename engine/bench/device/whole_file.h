// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::bench {

// All that a file holds; fails where it cannot be read.
std::string readWholeFile(const std::string &path);

} // namespace tessera::bench
