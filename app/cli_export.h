// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// Adds `export` to the command line; `run` is set to what to do when the user chose it.
void addExport(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
