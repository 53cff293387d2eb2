// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The commands `log` and `log --path`, which print where the logs are.
void addLog(CLI::App &cli, Command &run);

} // namespace tessera::app
