// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `choices FILE --schedule S`: what a stage could have instead, each with its predicted
// time, or what a value means that somebody thinks of, and why it is not legal.
void addChoices(CLI::App &cli, Command &run);

} // namespace tessera::app
