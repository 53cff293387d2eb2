// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// `learn data`, `learn train` and `learn test`.
void addLearn(CLI::App &cli, Command &run);

} // namespace tessera::app
