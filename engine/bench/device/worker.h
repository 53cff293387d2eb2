// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/measure.h"
#include "engine/job/worker_client.h"

namespace tessera::bench {

// The requests that tessera-gpu answers, and its replies:
//
//   describe   {}                        → a DeviceDescription
//   load       {"bundle"}                → the kernels as the driver compiled them
//   measure    MeasureOptions            → {"measurement":…, "tainted":…}
//   interleave InterleaveOptions         → {"measurements": one for each bundle}
//   ceilings   {}                        → MeasuredCeilings
//   count      CountOptions              → a CounterReport
//   reference  ReferenceOptions          → {}; needs no GPU
//   keep, put  a bundle from another machine (bundle_store.h)
//
// The device is opened at the first request that needs it. After an answer that is not a success or
// is tainted, and after "count", the client starts a new process (gpu_client.h).
job::WorkerHandlers workerHandlers(const WorkerSettings &settings);

} // namespace tessera::bench
