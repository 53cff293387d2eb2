// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// peers FILE: other autoschedulers' schedules of a pipeline
void addPeers(CLI::App &cli, Command &run);

} // namespace tessera::app
