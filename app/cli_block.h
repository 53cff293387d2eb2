// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `block`: the threads of a kernel's block, the accesses of its warps, and the waves of
// its grid, for one stage.
void addBlock(CLI::App &cli, Command &run);

} // namespace tessera::app
