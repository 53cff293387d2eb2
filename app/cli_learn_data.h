// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

void addLearnData(CLI::App &learn, Command &run);

} // namespace tessera::app
