// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"

#include <string>
#include <vector>

namespace tessera::app {

// Fills the tool search from the program's own path and from variables of the environment: PATH,
// CXX, HOME, CUDA_HOME and the XDG folders. Only the functions of this header and the start of
// workers (engine/job/spawn.h) read the environment.
host::ToolSearch toolSearch();

// Where NVIDIA's profiling library CUPTI may be: the loader's search path, then the toolkit in
// CUDA_HOME or /usr/local/cuda, then the Python packages installed beside Halide.
std::vector<std::string> profilerLibraries();

// Whether the environment names a screen, or a platform of Qt's that may need none.
bool hasDisplay();

// Where tessera-gpu keeps the bundles that another machine sends.
std::string bundleStoreFolder();

} // namespace tessera::app
