// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"
#include "engine/bench/measurement.h"
#include "engine/cost/prediction.h"
#include "engine/cost/roofline/roofline.h"
#include "engine/report/compile_report.h"

#include <optional>
#include <vector>

namespace tessera::measure {

// What the roofline of a measured bundle needs. The operations and bytes of a kernel come from its
// hardware counters, or else from its code. The time is always the measured one.
struct BenchRoofline {
  cost::Ceilings ceilings;
  machine::Machine machine; // the GPU's description
  report::CompileReport report;
  bench::Measurement measurement;
  std::optional<bench::CounterReport> counters; // nullopt: not counted
  // Set if the pipeline itself is available and not only its bundle. Then the roofline shows a
  // prediction too.
  std::optional<schedule::Schedule> schedule;
};
cost::Roofline rooflineOf(const BenchRoofline &bench);

// The kernels of a bundle with their measured times, and the run as a whole.
struct MeasuredWorks {
  std::vector<cost::Work> kernels;
  cost::Work whole;
};
MeasuredWorks worksOf(const report::CompileReport &report, const bench::Measurement &measurement,
                      const std::optional<bench::CounterReport> &counters = {});

cost::Work workOf(const bench::KernelCounters &counters, double seconds);

} // namespace tessera::measure
