// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// log, log --path: where the logs on disk are
void addLog(CLI::App &cli, Command &run);

} // namespace tessera::app
