// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "app/cli_source.h"
#include "engine/host/machines.h"
#include "engine/search/parameters.h"

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
  ScheduleOptions schedule; // its `schedule`, from --freeze, is the start; empty: the default
  std::string algorithm = "auto";
  std::string machine = host::kDefaultMachine;
  std::vector<std::string> sizes;  // one entry per set of sizes
  std::vector<std::string> around; // names of funcs; empty: all
  std::string output;
  std::uint64_t seed = 0;
  std::size_t budget = std::numeric_limits<std::size_t>::max();
  std::size_t refined = 0;            // how many candidates to compile; 0: none
  std::string correction;             // of the refined ones' times: a file; empty: none
  search::ParameterValues parameters; // of the algorithm, taken from --param
  std::string weights;                // the file of a learned cost model
  bool trace = false;                 // tell what the search did
  bool json = false;

  std::string start() const { return schedule.schedule.empty() ? "default" : schedule.schedule; }
};

// The command `schedule FILE`, which searches for a schedule.
void addSearch(CLI::App &cli, Command &run);

} // namespace tessera::app
