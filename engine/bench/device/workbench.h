// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/device.h"
#include "engine/bench/device/kept_data.h"
#include "engine/job/worker_client.h"

#include <string>
#include <vector>

namespace tessera::bench {

// Settings from main() that the measuring needs.
struct WorkerSettings {
  std::vector<std::string> profilers; // where CUPTI may be, in order
  std::string program;                // version and commit
  std::string store;                  // folder for bundles sent from other machines
};

// What a request that runs bundles needs. All members outlive the request.
struct Workbench {
  const Device &device;
  KeptData &kept;
  const WorkerSettings &settings;
  job::ProgressCallback progress; // may be empty
};

} // namespace tessera::bench
