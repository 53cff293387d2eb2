// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// Adds `compile` to the command line; `run` is set to what to do when the user chose it.
void addCompile(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
