// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `tune FILE --budget 60s`.
void addTune(CLI::App &cli, Command &run);

} // namespace tessera::app
