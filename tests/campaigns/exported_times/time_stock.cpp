// SPDX-License-Identifier: MIT
// time_stock FOLDER: times a pipeline that a stock generator made. It runs with Halide's own
// runtime: inputs stay on the device, runs follow back to back, and allocations are kept. Only the
// buffers are Tessera's, so that the inputs are those of tessera-gpu. Prints JSON: the median and
// the quartiles of a run in seconds, and the hash of each output.
#include "engine/base/sha256.h"
#include "engine/bench/device/failure.h"
#include "engine/bench/device/loaded_bundle.h"
#include "engine/bench/spread.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <vector>

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBatches = 21;
constexpr double kBatchSeconds = 3e-3, kWarmUpSeconds = 0.3;

void check(int code, const char *what) {
  if (code != 0)
    fail(Outcome::LaunchError, std::string(what) + ": Halide's error " + std::to_string(code));
}

double secondsOfARun(LoadedBundle &bundle, int runs) {
  const auto start = Clock::now();
  for (int i = 0; i < runs; ++i)
    check(bundle.run(), "a run");
  HalideBuffer &output = *bundle.outputs().front()->raw();
  if (!output.interface) refuse("The pipeline does not run on a device.");
  check(output.interface->deviceSync(nullptr, &output), "waiting");
  return std::chrono::duration<double>(Clock::now() - start).count() / runs;
}

Spread timed(LoadedBundle &bundle) {
  (void)secondsOfARun(bundle, 1); // loads the kernels and uploads the inputs
  double once = secondsOfARun(bundle, 2);
  const auto runs = [&] { return static_cast<int>(std::clamp(kBatchSeconds / once, 1.0, 1000.0)); };
  for (const auto start = Clock::now();
       std::chrono::duration<double>(Clock::now() - start).count() < kWarmUpSeconds;)
    once = secondsOfARun(bundle, runs());
  std::vector<double> samples;
  for (int i = 0; i < kBatches; ++i)
    samples.push_back(secondsOfARun(bundle, runs()));
  return spreadOf(std::move(samples));
}

nlohmann::ordered_json measured(const std::string &folder) {
  KeptData kept;
  LoadedBundle bundle(readBundle(folder), nullptr, PipelineInputs(1, ""), kept);
  bundle.keepAllocations(true);
  const Spread spread = timed(bundle);
  nlohmann::ordered_json result{{"seconds", spread.median},
                                {"lower_quartile", spread.lower},
                                {"upper_quartile", spread.upper},
                                {"samples", spread.samples}};
  for (PipelineBuffer *output : bundle.outputs()) {
    check(bundle.copyToHost(*output), "copying an output");
    const std::vector<std::uint8_t> elements = output->elements();
    result["outputs"].push_back(
        {{"name", output->name()}, {"sha256", sha256Hex(std::as_bytes(std::span(elements)))}});
  }
  return result;
}

} // namespace
} // namespace tessera::bench

int main(int count, char **words) {
  if (count != 2) return std::fprintf(stderr, "usage: time_stock FOLDER\n"), 2;
  try {
    std::puts(tessera::bench::measured(words[1]).dump().c_str());
    std::fflush(stdout);
    std::_Exit(0); // skips the destructors of drivers
  } catch (const tessera::bench::Failure &failure) {
    return std::fprintf(stderr, "%s\n", failure.error.message.c_str()), 1;
  }
}
