// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::machine {

// NVIDIA's name of an architecture, such as "sm_90" for compute capability 9.0.
std::string architectureName(int major, int minor);

// The architecture that ptxas assembles for, given the compute capability of the GPU. It is the
// GPU's own, if ptxas knows it. A newer GPU gets the newest architecture that ptxas knows and that
// is not newer than the GPU; a GPU that is too old gets the oldest. Machine code of another
// architecture does not run on the GPU, but its registers and spills are the best estimate
// available.
std::string assembledArchitecture(int major, int minor);

} // namespace tessera::machine
