// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `footprint`: what a thread, a warp, a block and the grid of each kernel need.
void addFootprint(CLI::App &cli, Command &run);

} // namespace tessera::app
