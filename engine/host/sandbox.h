// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/child_process.h"

#include <string>
#include <vector>

namespace tessera::host {

struct SandboxFolders {
  std::string writable;              // the only writable folder, and the working directory
  std::vector<std::string> readable; // visible even if they are below /tmp
  bool hasGpu = false;               // whether the machine's GPUs are there
};

// Returns options that run the same program inside bubblewrap: its own namespaces (no network,
// other processes invisible), a read-only file system, its own empty /tmp (Halide writes there), no
// privileges. The program is killed when Tessera's process ends. `sandbox` is the path of bwrap; if
// it is empty, the error says what to install.
Result<job::ProcessOptions> sandboxed(job::ProcessOptions options, const std::string &sandbox,
                                      const SandboxFolders &folders);

} // namespace tessera::host
