// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>
#include <string>

namespace tessera::app {

// bench FILE --schedule S, bench BUNDLE
void addBench(CLI::App &cli, std::function<int(std::stop_token)> &run);

void addHostOption(CLI::App &command, std::string &host);

} // namespace tessera::app
