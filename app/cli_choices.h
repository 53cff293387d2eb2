// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `choices FILE --schedule S`: the values that a stage's decisions could have instead,
// each with the predicted time. With --value TEXT: what the text means, and if it is not legal,
// why.
void addChoices(CLI::App &cli, Command &run);

} // namespace tessera::app
