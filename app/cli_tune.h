// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// tune FILE --budget 60s
void addTune(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
