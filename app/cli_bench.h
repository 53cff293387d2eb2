// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

// bench FILE --schedule S, bench BUNDLE
void addBench(CLI::App &cli, Command &run);

void addHostOption(CLI::App &command, std::string &host);

} // namespace tessera::app
