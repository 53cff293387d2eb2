// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera::machine {

// NVIDIA's name of an architecture, such as "sm_90" for compute capability 9.0.
std::string architectureName(int major, int minor);

// The architecture that ptxas assembles for, given the compute capability of the GPU. It is the
// GPU's own, if ptxas knows it. Otherwise it is the newest known architecture that is older than
// the GPU, or the oldest known one for a GPU that is older than all of them. Machine code of
// another architecture may not run on the GPU, but its registers and spills are the best estimate
// available.
std::string assembledArchitecture(int major, int minor);

} // namespace tessera::machine
