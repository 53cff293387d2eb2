// SPDX-License-Identifier: MIT
#include "engine/session/bench_roofline.h"

#include "engine/cost/roofline_work.h"

#include <algorithm>
#include <vector>

namespace tessera::session {

using bench::CounterReport;
using bench::KernelCounters;
using bench::Measurement;
using cost::Origin;
using cost::Work;
using schedule::KernelReport;

namespace {

// Of all launches in a run; 0: not measured.
double secondsOf(const KernelReport &kernel, const Measurement &measurement) {
  const auto timed = std::ranges::find(measurement.kernels, kernel.name, &bench::KernelTime::name);
  if (timed == measurement.kernels.end() || !timed->seconds.measured()) return 0;
  return timed->launches * timed->seconds.median;
}

const KernelCounters *countersOf(const KernelReport &kernel,
                                 const std::optional<CounterReport> &counters) {
  if (!counters) return nullptr;
  const auto found = std::ranges::find(counters->kernels, kernel.name, &KernelCounters::name);
  return found == counters->kernels.end() ? nullptr : &*found;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

// The pipeline takes the time of a whole run, with what is between its kernels.
Work wholeOf(const Measurement &measurement, const std::vector<Work> &kernels) {
  Work whole = cost::total(measurement.pipeline, kernels);
  whole.seconds = measurement.backToBack.median;
  return whole;
}

} // namespace

Work workOf(const KernelCounters &counters, double seconds) {
  Work work{counters.name, Origin::Measured, seconds, {}, {}};
  work.operations = {counters.fp64.value_or(0), counters.fp32.value_or(0),
                     counters.fp16.value_or(0), counters.integers.value_or(0)};
  work.traffic = {sum(counters.dramReadBytes, counters.dramWriteBytes), counters.l2Bytes,
                  counters.l1Bytes, counters.sharedBytes};
  return work;
}

cost::Roofline rooflineOf(const BenchRoofline &bench) {
  std::vector<Work> measured, all;
  for (const KernelReport &kernel : bench.report.kernels) {
    Work work = cost::workOf(kernel, secondsOf(kernel, bench.measurement));
    if (const KernelCounters *counters = countersOf(kernel, bench.counters)) {
      const std::string name = work.name;
      work = workOf(*counters, work.seconds);
      work.name = name;
    }
    measured.push_back(std::move(work));
  }
  std::vector<Work> wholes{wholeOf(bench.measurement, measured)};
  cost::Floor floor = cost::floorOf(bench.report, bench.machine);
  if (bench.schedule) {
    const pipeline::Pipeline &pipeline = *bench.schedule->pipeline();
    const cost::Prediction prediction =
        cost::predict(*bench.schedule, bench.machine, bench.report.kernels);
    all = cost::worksOf(prediction, *bench.schedule, bench.machine, bench.report.kernels);
    wholes.push_back(cost::total(bench.measurement.pipeline, all));
    floor = cost::floorOf(pipeline, prediction.fromDram);
  }
  all.insert(all.end(), measured.begin(), measured.end());
  return cost::roofline(bench.ceilings, all, wholes, floor);
}

} // namespace tessera::session
