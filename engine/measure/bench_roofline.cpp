// SPDX-License-Identifier: MIT
#include "engine/measure/bench_roofline.h"

#include "engine/cost/roofline/floor.h"
#include "engine/cost/roofline/roofline_work.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::measure {

using bench::CounterReport;
using bench::KernelCounters;
using bench::Measurement;
using cost::Origin;
using cost::Work;
using report::KernelReport;

namespace {

const KernelCounters *countersOf(const KernelReport &kernel,
                                 const std::optional<CounterReport> &counters) {
  if (!counters) return nullptr;
  const auto found = std::ranges::find(counters->kernels, kernel.name, &KernelCounters::name);
  return found == counters->kernels.end() ? nullptr : &*found;
}

// A kernel that the program has and this run never launched (a loop that goes round no time) has no
// counters where the others have: it moves and computes nothing.
Work idle(Work work) {
  work.origin = Origin::Measured;
  work.operations = {};
  work.traffic = {0, 0, 0, 0};
  return work;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

// The work of the whole pipeline. Its time is that of a whole run, including the gaps between
// kernels.
Work wholeOf(const Measurement &measurement, const std::vector<Work> &kernels) {
  Work whole = cost::total(measurement.pipeline, kernels);
  whole.seconds = measurement.backToBack.median;
  return whole;
}

} // namespace

Work workOf(const KernelCounters &counters, double seconds) {
  Work work{counters.name, Origin::Measured, seconds, {}, {}, {}};
  work.operations = {counters.fp64.value_or(0), counters.fp32.value_or(0),
                     counters.fp16.value_or(0), counters.integers.value_or(0)};
  work.traffic = {sum(counters.dramReadBytes, counters.dramWriteBytes), counters.l2Bytes,
                  counters.l1Bytes, counters.sharedBytes};
  return work;
}

MeasuredWorks worksOf(const report::CompileReport &report, const Measurement &measurement,
                      const std::optional<CounterReport> &counters) {
  MeasuredWorks works;
  for (const KernelReport &kernel : report.kernels) {
    Work work = cost::workOf(kernel, measurement.secondsOf(kernel.name).value_or(0));
    if (const KernelCounters *counted = countersOf(kernel, counters)) {
      Work byHardware = workOf(*counted, work.seconds);
      byHardware.name = std::move(work.name);
      byHardware.stages = std::move(work.stages);
      work = std::move(byHardware);
    } else if (counters && !counters->kernels.empty()) {
      work = idle(std::move(work));
    }
    works.kernels.push_back(std::move(work));
  }
  works.whole = wholeOf(measurement, works.kernels);
  return works;
}

cost::Roofline rooflineOf(const BenchRoofline &bench) {
  const auto [measured, whole] = worksOf(bench.report, bench.measurement, bench.counters);
  std::vector<Work> all, wholes{whole};
  cost::Floor floor = cost::floorOf(bench.report, bench.machine);
  if (bench.schedule) {
    const cost::Prediction prediction =
        cost::predict(*bench.schedule, bench.machine, bench.report.kernels);
    all = cost::worksOf(prediction, *bench.schedule, bench.machine, bench.report.kernels);
    wholes.push_back(cost::total(bench.measurement.pipeline, all));
    floor = cost::floorOf(*bench.schedule->base(), bench.machine);
  }
  all.insert(all.end(), measured.begin(), measured.end());
  return cost::roofline(bench.ceilings, all, wholes, floor);
}

} // namespace tessera::measure
