// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// Adds `compile` to the command line. If the user chose it, `run` is set to the action.
void addCompile(CLI::App &cli, Command &run);

} // namespace tessera::app
