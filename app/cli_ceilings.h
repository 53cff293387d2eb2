// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "engine/bench/gpu_client.h"
#include "engine/host/tools.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// machine ceilings: the highest rates of this machine's GPU, or of another's.
void addCeilings(CLI::App &machine, Command &run);

// What this GPU has been measured at, else measured now and kept.
bench::GpuAnswer<bench::MeasuredCeilings>
ceilingsOfGpu(bench::GpuClient &gpu, const host::ToolPaths &tools, const std::stop_token &stop);

} // namespace tessera::app
