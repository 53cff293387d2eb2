// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `compare`: compare FILE --with A,B,…; compare FOLDER.
void addCompare(CLI::App &cli, Command &run);

} // namespace tessera::app
