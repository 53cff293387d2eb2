// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::bench {

// "0.1.0 (5c2f0a91b3d4)": the version, and the commit that the program was built from where that
// is known; "-dirty" behind it where files were changed.
std::string programVersion();

} // namespace tessera::bench
