// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/process_options.h"
#include "engine/job/worker_client.h"
#include "engine/host/tools.h"

#include <stop_token>
#include <string>

namespace tessera::host {

// A word that ssh takes for a host and for nothing else.
bool isHost(const std::string &host);

// How tessera-gpu is started: here, or with `host` (as ssh knows it: user@machine, or a name of its
// configuration) on another machine. There is no daemon there: the program is copied once, to
// ~/.cache/tessera/gpu under a name with its checksum, and speaks over ssh's standard streams.
// ssh must log in without asking.
Result<job::ProcessOptions> gpuWorkerProcess(const ToolPaths &tools, const std::string &host,
                                             std::stop_token stop = {},
                                             const job::ProgressCallback &progress = {});

} // namespace tessera::host
