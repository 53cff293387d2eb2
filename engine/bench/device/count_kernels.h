// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"
#include "engine/bench/device/measure.h"
#include "engine/bench/measure_request.h"

namespace tessera::bench {

// Runs a bundle under the profiler. Where nothing may be counted the report says why: that is an
// answer. The process takes no times afterwards.
CounterReport countKernels(const Workbench &bench, const CountOptions &options);

} // namespace tessera::bench
