// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// Adds `verify` to the command line; `run` is set to what to do when the user chose it.
void addVerify(CLI::App &cli, Command &run);

} // namespace tessera::app
