// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `peers FILE`: the schedules of other autoschedulers for a pipeline.
void addPeers(CLI::App &cli, Command &run);

} // namespace tessera::app
