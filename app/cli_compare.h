// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// compare FILE --with A,B,…; compare FOLDER
void addCompare(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
