// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/gpu_client.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace tessera::bench {

// Brings a bundle, and its reference where it has one in its folder, to a worker on another
// machine: what is there already is not sent, also after a connection that was lost. Returns the
// bundle's folder there.
Result<std::string> deliverBundle(GpuClient &gpu, const std::string &bundle,
                                  std::chrono::milliseconds timeout, std::stop_token stop = {},
                                  const job::ProgressCallback &progress = {});

} // namespace tessera::bench
