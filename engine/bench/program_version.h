// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::bench {

// "0.1.0 (5c2f0a91b3d4)": the version and, if known, the commit that the program was built from.
// "-dirty" follows the commit if files were changed since.
std::string programVersion();

} // namespace tessera::bench
