// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `occupancy`. occupancy --threads N …: a block with these numbers; occupancy FILE
// --schedule S: each kernel of a schedule.
void addOccupancy(CLI::App &cli, Command &run);

} // namespace tessera::app
