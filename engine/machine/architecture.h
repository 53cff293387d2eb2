// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::machine {

// NVIDIA's word for an architecture: "sm_90" for compute capability 9.0.
std::string architectureName(int major, int minor);

// What ptxas is asked to assemble for, where a GPU of this compute capability is to run the code:
// its own architecture, where ptxas knows it. A newer GPU gets the newest one that ptxas knows and
// that is not newer than the GPU; one that is too old gets the oldest. Machine code of another
// architecture does not run there, but its registers and spills are the best that can be known.
std::string assembledArchitecture(int major, int minor);

} // namespace tessera::machine
