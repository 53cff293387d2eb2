// SPDX-License-Identifier: MIT
#pragma once

#include "engine/file/scratch_folder.h"
#include "engine/host/tools.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::app {

// Fills the tool search from the program's own path and from variables of the environment: PATH,
// CXX, HOME, TMPDIR, CUDA_HOME and the XDG folders. Only the functions of this header and the start
// of workers (engine/job/spawn.h) read the environment.
host::ToolSearch toolSearch();

// Where NVIDIA's profiling library CUPTI may be: the loader's search path, then the toolkit in
// CUDA_HOME or /usr/local/cuda, then the Python packages installed beside Halide.
std::vector<std::string> profilerLibraries();

// Whether the environment names a screen, or a platform of Qt's that may need none.
bool hasDisplay();

// Where tessera-gpu keeps the bundles that another machine sends: in the user's cache, or for this
// run alone where the user has no folder that is closed to others. A bundle is code.
struct BundleStorePlace {
  std::string folder;
  std::unique_ptr<const file::ScratchFolder> temporary; // the folder, if it is for this run
};
BundleStorePlace bundleStorePlace();

} // namespace tessera::app
