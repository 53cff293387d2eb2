// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// explain FILE --schedule S: what our cost model says of each kernel, and why.
void addExplain(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
