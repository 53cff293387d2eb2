// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace tessera::bench {

// Sends a bundle to a worker on another machine, together with its reference if the bundle's folder
// contains one. Files that the worker has already are not sent again, even after a lost connection.
// Returns the path of the bundle on the worker's machine. A file that cannot be read here or
// written there counts as CompileError.
GpuAnswer<std::string> deliverBundle(GpuClient &gpu, const std::string &bundle,
                                     std::chrono::milliseconds timeout, std::stop_token stop = {},
                                     const job::ProgressCallback &progress = {});

} // namespace tessera::bench
