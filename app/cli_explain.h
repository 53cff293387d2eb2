// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// explain FILE --schedule S: what our cost model says of each kernel, and why.
void addExplain(CLI::App &cli, Command &run);

} // namespace tessera::app
