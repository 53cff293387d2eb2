// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `explain FILE --schedule S`: the cost model's prediction for each kernel, and what
// limits the kernel.
void addExplain(CLI::App &cli, Command &run);

} // namespace tessera::app
