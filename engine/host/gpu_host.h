// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"
#include "engine/base/result.h"
#include "engine/job/process_options.h"
#include "engine/job/worker_client.h"

#include <stop_token>
#include <string>

namespace tessera::host {

// Whether ssh would interpret the word as a host and not as an option.
bool isHost(const std::string &host);

// How to start tessera-gpu: on this machine if `host` is empty, otherwise on the machine `host` (in
// ssh's notation: user@machine, or a name from ssh's configuration). The other machine needs no
// daemon: the program is copied once to ~/.cache/tessera/gpu, with its checksum in the name, and
// communicates over ssh's standard streams. ssh must be able to log in without a prompt.
Result<job::ProcessOptions> gpuWorkerProcess(const ToolPaths &tools, const std::string &host,
                                             std::stop_token stop = {},
                                             const job::ProgressCallback &progress = {});

} // namespace tessera::host
