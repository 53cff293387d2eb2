// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>

namespace tessera::app {

// occupancy --threads N …: of a block with these numbers; occupancy FILE --schedule S: of each
// kernel of a schedule.
void addOccupancy(CLI::App &cli, std::function<int(std::stop_token)> &run);

} // namespace tessera::app
