// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <string>
#include <vector>

namespace tessera::app {

// The one place that reads the environment: PATH, CXX, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME and
// where this program lies.
host::ToolSearch toolSearch();

// Where CUPTI may be, NVIDIA's library that times kernels: what the loader finds first, then
// CUDA_HOME, an installed toolkit, and the wheels beside Halide's.
std::vector<std::string> profilerLibraries();

// Where tessera-gpu keeps what another machine sends.
std::string bundleStoreFolder();

} // namespace tessera::app
