// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/child_process.h"

#include <string>
#include <vector>

namespace tessera::host {

struct SandboxFolders {
  std::string writable;              // the only place where it can write, and where it starts
  std::vector<std::string> readable; // seen even if they lie below /tmp
};

// The same process inside bubblewrap: every namespace of its own (so no network and no sight of
// other processes), the file system read-only, an empty /tmp of its own (Halide writes there),
// no privileges, and it dies with us. `sandbox` is the path of bwrap; empty is an error that says
// what to install.
Result<job::ProcessOptions> sandboxed(job::ProcessOptions options, const std::string &sandbox,
                                      const SandboxFolders &folders);

} // namespace tessera::host
