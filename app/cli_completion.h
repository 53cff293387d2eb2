// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tessera::app {

// A bash script that completes the commands and options of `cli`; zsh uses it through bashcompinit.
std::string bashCompletion(const CLI::App &cli);

} // namespace tessera::app
