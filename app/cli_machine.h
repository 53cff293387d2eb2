// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

// The commands machine list, machine show NAME, machine probe and machine ceilings.
void addMachine(CLI::App &cli, Command &run);

void addMachineOption(CLI::App &command, std::string &machine);

} // namespace tessera::app
