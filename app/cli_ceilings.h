// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "engine/bench/gpu_client.h"
#include "engine/host/tools.h"

#include <CLI/CLI.hpp>

namespace tessera::app {

// The command `machine ceilings`: the highest rates of the GPU of this machine or another.
void addCeilings(CLI::App &machine, Command &run);

// The ceilings that were measured and kept for this GPU; otherwise measures and keeps them now.
bench::GpuAnswer<bench::MeasuredCeilings>
ceilingsOfGpu(bench::GpuClient &gpu, const host::ToolPaths &tools, const std::stop_token &stop);

} // namespace tessera::app
