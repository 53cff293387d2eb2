// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "app/cli_source.h"
#include "engine/host/machines.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::app {

struct SearchOptions {
  ScheduleOptions schedule; // of which `schedule` is what to freeze; empty: nothing
  std::string algorithm = "auto";
  std::string machine = host::kDefaultMachine;
  std::vector<std::string> sizes;  // of each set, for more than one
  std::vector<std::string> around; // funcs; empty: everything
  std::string output;
  std::uint64_t seed = 0;
  std::size_t budget = std::numeric_limits<std::size_t>::max();
  std::size_t refined = 0; // candidates that are compiled; 0: none
  bool json = false;

  std::string start() const { return schedule.schedule.empty() ? "default" : schedule.schedule; }
};

// --algorithm, described so, and --freeze.
void addAlgorithmOptions(CLI::App &command, const std::string &described, std::string &algorithm,
                         std::string &frozen);

// schedule FILE: finds one.
void addSearch(CLI::App &cli, Command &run);

} // namespace tessera::app
