// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/device.h"
#include "engine/bench/device/kept_data.h"
#include "engine/job/worker_client.h"

#include <string>
#include <vector>

namespace tessera::bench {

// What main() knows and the measuring needs.
struct WorkerSettings {
  std::vector<std::string> profilers; // where CUPTI may be, in this order
  std::string program;                // version and commit
  std::string store;                  // folder of bundles that others send
};

// What a request that runs bundles works with; all of it outlives the work.
struct Workbench {
  const Device &device;
  KeptData &kept;
  const WorkerSettings &settings;
  job::ProgressCallback progress; // or none
};

} // namespace tessera::bench
