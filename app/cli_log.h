// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The commands `log`, which lists the log files, and `log --path`, which prints their folder.
void addLog(CLI::App &cli, Command &run);

} // namespace tessera::app
