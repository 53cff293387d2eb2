// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// Adds `verify` to the command line; `run` is set to what to do when the user chose it.
void addVerify(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
