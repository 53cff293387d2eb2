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

// What was measured of a bundle, under the roofs of its GPU. Kernels that were counted are placed
// by their counters, others by what their code asks for; their time is the measured one either way.
struct BenchRoofline {
  cost::Ceilings ceilings;
  machine::Machine machine; // the GPU's description
  report::CompileReport report;
  bench::Measurement measurement;
  std::optional<bench::CounterReport> counters; // none: nobody counted
  // Where the pipeline is at hand, and not only its bundle: a prediction stands beside.
  std::optional<schedule::Schedule> schedule;
};
cost::Roofline rooflineOf(const BenchRoofline &bench);

// The kernels of a bundle with the times that they were measured at, and the run as a whole.
struct MeasuredWorks {
  std::vector<cost::Work> kernels;
  cost::Work whole;
};
MeasuredWorks worksOf(const report::CompileReport &report, const bench::Measurement &measurement,
                      const std::optional<bench::CounterReport> &counters = {});

cost::Work workOf(const bench::KernelCounters &counters, double seconds);

} // namespace tessera::measure
