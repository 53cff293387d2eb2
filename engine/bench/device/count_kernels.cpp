// SPDX-License-Identifier: MIT
#include "engine/bench/device/count_kernels.h"

#include "engine/bench/device/bundle_run.h"
#include "engine/bench/device/counter_metrics.h"
#include "engine/bench/device/range_profiler.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

namespace {

CounterReport refused(CounterReport report, const Error &error) {
  report.refused = error.message;
  report.hint = error.hint;
  return report;
}

// The kernel names of a run's launches. Two other runs precede the listed run, so that the counted
// runs, which follow it, find the caches as back-to-back runs leave them.
std::vector<std::string> launchesOf(BundleRun &run, const Device &device) {
  run.once();
  run.once();
  device.synchronize();
  run.hooks().startListing();
  run.once();
  device.synchronize();
  return run.hooks().finishListing();
}

std::vector<KernelCounters> byKernel(const report::CompileReport &report,
                                     const std::vector<std::string> &launches,
                                     const std::vector<KernelCounters> &counted) {
  std::vector<KernelCounters> kernels;
  for (const report::KernelReport &kernel : report.kernels) {
    std::vector<KernelCounters> own;
    for (std::size_t i = 0; i < launches.size(); ++i)
      if (launches[i] == kernel.name) own.push_back(counted[i]);
    if (!own.empty()) kernels.push_back(together(kernel.name, own));
  }
  return kernels;
}

CounterReport count(BundleRun &run, const Workbench &bench,
                    const std::vector<std::string> &launches) {
  CounterReport report;
  auto profiler = RangeProfiler::open(bench.settings.profilers, bench.device.context(), 0);
  if (!profiler) return refused(report, profiler.error());
  report.profiler = (*profiler)->version();
  report.chip = (*profiler)->chip();
  const CounterMetrics metrics([&](const std::string &metric) { return (*profiler)->has(metric); });
  for (const std::string &absent : metrics.absent())
    report.remarks.push_back(report.chip + " does not count: " + absent);
  const auto counted = (*profiler)->count(metrics.names(), launches.size(), [&] {
    run.once();
    bench.device.synchronize();
  });
  if (!counted) return refused(report, counted.error());
  report.passes = counted->passes;
  std::vector<KernelCounters> each;
  for (const std::vector<double> &values : counted->launches)
    each.push_back(metrics.of(values));
  report.kernels = byKernel(run.report(), launches, each);
  return report;
}

} // namespace

CounterReport countKernels(const Workbench &bench, const CountOptions &options) {
  auto run = std::make_unique<BundleRun>(bench, options.bundle);
  try {
    if (bench.progress) bench.progress({"loading", 0.1});
    run->load({options.seed, options.inputs});
    const std::vector<std::string> launches = launchesOf(*run, bench.device);
    if (bench.progress) bench.progress({"counting", 0.4});
    return count(*run, bench, launches);
  } catch (const Failure &failure) {
    if (isFatal(failure.outcome)) (void)run.release();
    throw;
  }
}

} // namespace tessera::bench
