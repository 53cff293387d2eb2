// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// occupancy --threads N …: of a block with these numbers; occupancy FILE --schedule S: of each
// kernel of a schedule.
void addOccupancy(CLI::App &cli, Command &run);

} // namespace tessera::app
