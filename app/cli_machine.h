// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>
#include <string>

namespace tessera::app {

// machine list, machine show NAME, machine probe, machine ceilings
void addMachine(CLI::App &cli, std::function<int(std::stop_token)> &run);

void addMachineOption(CLI::App &command, std::string &machine);

} // namespace tessera::app
