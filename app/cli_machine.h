// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

// machine list, machine show NAME, machine probe, machine ceilings
void addMachine(CLI::App &cli, Command &run);

void addMachineOption(CLI::App &command, std::string &machine);

} // namespace tessera::app
