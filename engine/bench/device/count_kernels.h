// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/measure.h"
#include "engine/bench/counters.h"
#include "engine/bench/measure_request.h"

namespace tessera::bench {

// Runs a bundle under the profiler. If counting is not permitted, the report gives the reason; that
// is not a failure. The process must not take times afterwards.
CounterReport countKernels(const Workbench &bench, const CountOptions &options);

} // namespace tessera::bench
