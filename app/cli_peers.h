// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// peers FILE: other autoschedulers' schedules of a pipeline
void addPeers(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
