// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <string>
#include <vector>

namespace tessera::app {

// Fills the tool search from the environment: PATH, CXX, HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME and
// the program's own path. Only this file reads the environment.
host::ToolSearch toolSearch();

// Where NVIDIA's profiling library CUPTI may be: the loader's search path, then CUDA_HOME, an
// installed toolkit, and the wheels beside Halide's.
std::vector<std::string> profilerLibraries();

// Whether the environment names a screen, or a platform of Qt's that may need none.
bool hasDisplay();

// Where tessera-gpu keeps the bundles that another machine sends.
std::string bundleStoreFolder();

} // namespace tessera::app
