// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/child_process.h"

#include <string>

namespace tessera::session {

// The same process inside bubblewrap: every namespace of its own (so no network and no sight of
// other processes), the file system read-only but for `writableFolder`, no privileges, and it dies
// with us. `sandbox` is the path of bwrap; empty is an error that says what to install.
Result<job::ProcessOptions> sandboxed(job::ProcessOptions options, const std::string &sandbox,
                                      const std::string &writableFolder);

} // namespace tessera::session
