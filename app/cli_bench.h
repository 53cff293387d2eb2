// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "engine/bench/gpu_client.h"
#include "engine/host/tools.h"
#include "engine/measure/gpu_bench.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <stop_token>
#include <string>

namespace tessera::app {

// The command `bench`: bench FILE --schedule S, bench BUNDLE.
void addBench(CLI::App &cli, Command &run);

void addHostOption(CLI::App &command, std::string &host);

// Starts a worker on `host`, where "" is this machine. Shows the progress of connecting on the
// terminal.
Result<std::unique_ptr<bench::GpuClient>>
startGpu(const host::ToolPaths &tools, const std::string &host, const std::stop_token &stop);
measure::GpuBench::Where whereIs(const std::string &host); // "" is this machine

} // namespace tessera::app
