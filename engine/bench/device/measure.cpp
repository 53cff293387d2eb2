// SPDX-License-Identifier: MIT
#include "engine/bench/device/measure.h"

#include "engine/bench/device/bundle_run.h"
#include "engine/bench/device/graph_replay.h"
#include "engine/bench/device/kernel_trace.h"
#include "engine/bench/device/whole_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAlike = 5; // number of batches whose spread tells whether the clocks have settled
constexpr double kStableSpread = 0.01;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One measurement. Its members pass the results of each step to the next steps.
class Procedure {
public:
  Procedure(const Workbench &bench, const MeasureOptions &options)
      : m_bench(bench), m_options(options), m_run(bench, options.bundle) {}

  Measured run();

private:
  void describe();
  void load();
  void firstRun();
  void check();
  void warmUp();
  void timeBackToBack();
  void timeSingles();
  void timeColdCache();
  void timeGraph();
  bool isReplayRight();
  void timeAllocating();
  void timeKernels();
  void traceKernels(KernelTrace &trace);
  void timeKernelsByEvents();
  void takeKernelTimes(const std::vector<KernelTrace::Launch> &launches);

  void say(const char *what, double fraction) {
    if (m_bench.progress) m_bench.progress({what, fraction});
  }
  Measurement &result() { return m_measured.measurement; }
  bool isLong() const { return m_once >= m_options.longSeconds; }
  bool isSlow() const { return m_options.slowSeconds > 0 && m_once >= m_options.slowSeconds; }
  int tracedRuns() const { return isLong() ? 1 : m_options.tracedRuns; }

  double batchSeconds(int runs) { return m_run.batchSeconds(runs); }
  int runsPerBatch() const { return BundleRun::runsFor(m_options.batchSeconds, m_once); }
  void compareOutputs(const char *when) { result().comparison = m_run.compareOutputs(when); }

  const Workbench &m_bench;
  const MeasureOptions &m_options;
  BundleRun m_run;
  double m_once = 0; // approximate seconds of a run
  Measured m_measured;
};

void Procedure::describe() { result() = m_run.described(m_bench.settings.program); }

void Procedure::load() {
  say("loading", 0.05);
  if (m_options.useAssembled) m_run.useAssembled();
  m_run.load({m_options.seed, m_options.inputs}, m_options.reference, m_options.tolerance);
}

void Procedure::firstRun() {
  say("first run", 0.1);
  result().firstSeconds = batchSeconds(1); // compiles for the device, uploads the inputs
}

void Procedure::check() {
  say("checking the outputs", 0.2);
  m_run.overwriteOutputs();
  m_once = batchSeconds(1);
  m_run.fetchOutputs();
  compareOutputs("After the first runs");
  if (!m_run.hasReference())
    result().remarks.push_back("the outputs were not compared: there is no reference");
  if (m_options.hashOutputs) result().outputs = m_run.hashes();
}

// Runs batches until the last few take about the same time: an idle GPU needs a while to raise its
// clocks.
void Procedure::warmUp() {
  say("warming up", 0.3);
  WarmUp &warm = result().warmUp;
  if (isLong()) return; // the first two runs have warmed the GPU up
  m_once = batchSeconds(2);
  warm.runs = 2;
  const auto start = Clock::now();
  std::vector<double> last;
  const auto isRoughlyKnown = [&] { return isSlow() && !last.empty(); };
  while (since(start) < m_options.warmUpSeconds && !warm.stable && !isRoughlyKnown()) {
    const int runs = runsPerBatch();
    m_once = batchSeconds(runs);
    warm.runs += runs;
    last.push_back(m_once);
    if (last.size() > kAlike) last.erase(last.begin());
    const auto [least, most] = std::ranges::minmax(last);
    warm.stable = last.size() == kAlike && most - least <= kStableSpread * least;
  }
  warm.seconds = since(start);
  if (!warm.stable && !isSlow())
    result().remarks.push_back("the time had not settled when the warm-up ended");
}

void Procedure::timeBackToBack() {
  say("measuring", 0.4);
  result().before = m_bench.device.state();
  const int runs = isLong() ? 1 : runsPerBatch();
  const int batches = isLong() || isSlow() ? std::min(m_options.batches, 2) : m_options.batches;
  std::vector<double> samples;
  for (int i = 0; i < batches; ++i)
    samples.push_back(batchSeconds(runs));
  result().after = m_bench.device.state(); // read before the idle GPU lowers its clocks
  result().backToBack = spreadOf(std::move(samples));
  result().runsPerSample = runs;
}

void Procedure::timeSingles() {
  if (isLong()) return; // a batch of a long run is a single run already
  std::vector<double> samples;
  for (int i = 0; i < m_options.singles; ++i)
    samples.push_back(batchSeconds(1));
  result().single = spreadOf(std::move(samples));
}

// Whether the last replay produced the outputs of a normal run.
bool Procedure::isReplayRight() {
  m_run.fetchOutputs();
  if (!m_run.hasReference()) return m_run.hashes() == result().outputs;
  try {
    m_run.compareOutputs("After replays of a CUDA graph");
    return true;
  } catch (const Failure &failure) {
    if (failure.outcome != Outcome::WrongOutput) throw;
    return false;
  }
}

void Procedure::timeGraph() {
  if (!m_options.graph || isLong()) return; // launches are negligible in a long run
  say("measuring a CUDA graph", 0.5);
  const auto replay = GraphReplay::capture(m_run, m_bench.device);
  if (!replay) {
    result().remarks.push_back("not measured as a CUDA graph: " + replay.error().message);
    return;
  }
  m_run.overwriteOutputs();
  const double once = (*replay)->batchSeconds(2);
  if (!isReplayRight()) {
    result().remarks.push_back("not measured as a CUDA graph: its outputs differ");
    return;
  }
  const int replays = BundleRun::runsFor(m_options.batchSeconds, once);
  std::vector<double> samples;
  for (int i = 0; i < m_options.batches; ++i)
    samples.push_back((*replay)->batchSeconds(replays));
  result().graph = spreadOf(std::move(samples));
}

// The memory that overwrites the L2 cache, and the events around a run.
class ColdRun {
public:
  ColdRun(const Driver &cuda, std::size_t bytes) : m_cuda(cuda), m_bytes(bytes) {
    m_cuda.check(m_cuda.cuMemAlloc(&m_memory, bytes), "cuMemAlloc for overwriting the L2");
    m_cuda.check(m_cuda.cuEventCreate(&m_before, CU_EVENT_DEFAULT), "cuEventCreate");
    m_cuda.check(m_cuda.cuEventCreate(&m_after, CU_EVENT_DEFAULT), "cuEventCreate");
  }
  ~ColdRun() {
    m_cuda.cuMemFree(m_memory);
    if (m_before) m_cuda.cuEventDestroy(m_before);
    if (m_after) m_cuda.cuEventDestroy(m_after);
  }
  ColdRun(const ColdRun &) = delete;
  ColdRun &operator=(const ColdRun &) = delete;

  // While the device is still overwriting the cache, the host already launches the run, so the time
  // does not include the host's launches.
  void begin() {
    m_cuda.check(m_cuda.cuMemsetD8Async(m_memory, m_value++, m_bytes, nullptr), "cuMemsetD8Async");
    m_cuda.check(m_cuda.cuEventRecord(m_before, nullptr), "cuEventRecord");
  }
  void end() { m_cuda.check(m_cuda.cuEventRecord(m_after, nullptr), "cuEventRecord"); }
  double seconds() const {
    float milliseconds = 0;
    m_cuda.check(m_cuda.cuEventElapsedTime(&milliseconds, m_before, m_after), "cuEventElapsedTime");
    return milliseconds / 1e3;
  }

private:
  const Driver &m_cuda;
  std::size_t m_bytes;
  CUdeviceptr m_memory = 0;
  CUevent m_before = nullptr, m_after = nullptr;
  unsigned char m_value = 0;
};

void Procedure::timeColdCache() {
  if (m_options.coldSamples == 0 || isLong()) return; // a long run fills the cache itself
  say("measuring with a cold cache", 0.6);
  constexpr std::size_t kLeast = std::size_t{64} << 20;
  const auto cache =
      static_cast<std::size_t>(m_bench.device.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  ColdRun cold(m_bench.device.driver(), std::max(kLeast, 2 * cache));
  std::vector<double> samples;
  for (int i = 0; i < m_options.coldSamples; ++i) {
    cold.begin();
    m_run.once();
    cold.end();
    m_bench.device.synchronize();
    samples.push_back(cold.seconds());
  }
  result().coldCache = spreadOf(std::move(samples));
}

// Times runs as for a caller that does not ask the runtime to keep freed memory.
void Procedure::timeAllocating() {
  if (!m_options.allocating || isLong() || m_run.report().allocations.empty()) return;
  say("measuring with allocations", 0.7);
  m_run.bundle().keepAllocations(false);
  (void)batchSeconds(1);
  m_run.hooks().resetAllocations();
  const int runs = std::min(runsPerBatch(), 50);
  std::vector<double> samples;
  for (int i = 0; i < std::min(m_options.batches, 5); ++i)
    samples.push_back(batchSeconds(runs));
  result().allocations = static_cast<double>(m_run.hooks().allocations()) /
                         static_cast<double>(runs * static_cast<int>(samples.size()));
  result().allocating = spreadOf(std::move(samples));
  m_run.bundle().keepAllocations(true);
}

void Procedure::timeKernels() {
  result().kernels = m_run.kernels();
  if (m_options.tracedRuns == 0) return;
  say("measuring the kernels", 0.8);
  if (m_options.useProfiler) {
    auto trace = KernelTrace::open(m_bench.settings.profilers);
    if (trace) return traceKernels(**trace);
    result().remarks.push_back("the kernels' times are from CUDA events, which add some "
                               "microseconds, because CUPTI was not found: " +
                               trace.error().message);
  }
  timeKernelsByEvents();
}

void Procedure::traceKernels(KernelTrace &trace) {
  m_measured.isTainted = true;
  const auto complain = [&](const Error &error) {
    result().remarks.push_back(
        "the kernels' times are from CUDA events, which add some microseconds: " + error.message);
    timeKernelsByEvents();
  };
  if (const Status started = trace.start(); !started) return complain(started.error());
  (void)batchSeconds(tracedRuns());
  const auto launches = trace.stop();
  if (!launches) return complain(launches.error());
  result().kernelClock = KernelClock::Cupti;
  takeKernelTimes(*launches);
}

void Procedure::timeKernelsByEvents() {
  m_run.hooks().startTiming();
  (void)batchSeconds(tracedRuns());
  std::vector<KernelTrace::Launch> launches;
  for (const auto &[function, seconds] : m_run.hooks().finishTiming())
    launches.push_back({m_run.hooks().kernels().at(function).name, seconds});
  result().kernelClock = KernelClock::Events;
  takeKernelTimes(launches);
}

void Procedure::takeKernelTimes(const std::vector<KernelTrace::Launch> &launches) {
  for (KernelTime &kernel : result().kernels) {
    std::vector<double> samples;
    for (const auto &[name, seconds] : launches)
      if (name == kernel.name) samples.push_back(seconds);
    kernel.launches = static_cast<double>(samples.size()) / tracedRuns();
    kernel.seconds = spreadOf(std::move(samples));
    if (!kernel.seconds.measured())
      result().remarks.push_back("no launch of " + kernel.name + " was seen");
  }
}

Measured Procedure::run() {
  describe();
  load();
  firstRun();
  check();
  warmUp();
  timeBackToBack();
  timeSingles();
  timeGraph();
  timeColdCache();
  timeAllocating();
  timeKernels();
  // A race between threads may show only after many runs, so the outputs are compared again.
  if (m_run.hasReference()) {
    say("checking the outputs again", 0.95);
    m_run.fetchOutputs();
    compareOutputs("After the measurement");
  }
  return std::move(m_measured);
}

} // namespace

Measured measureBundle(const Workbench &bench, const MeasureOptions &options) {
  auto procedure = std::make_unique<Procedure>(bench, options);
  try {
    return procedure->run();
  } catch (const Failure &failure) {
    // After a device error, freeing memory calls the driver, which then fails, and Halide's runtime
    // aborts. The process is about to end and frees everything.
    if (isFatal(failure.outcome)) (void)procedure.release();
    throw;
  }
}

LoadFacts loadKernels(const Device &device, const std::string &bundle) {
  const BundleFolder folder = readBundle(bundle);
  checkTarget(device, folder);
  if (folder.report.files.device.empty()) refuse("The bundle '" + bundle + "' has no kernels.");
  const std::string code = readWholeFile(folder.path + "/" + folder.report.files.device);
  const Driver &cuda = device.driver();
  std::array<CUjit_option, 1> options{CU_JIT_MAX_REGISTERS};
  std::array<void *, 1> values{
      reinterpret_cast<void *>(static_cast<std::uintptr_t>(folder.report.registerCap))};
  CUmodule module = nullptr;
  LoadFacts facts;
  const auto start = Clock::now();
  cuda.check(cuda.cuModuleLoadDataEx(&module, code.c_str(), 1, options.data(), values.data()),
             "compiling the kernels for " + device.name());
  facts.seconds = since(start);
  for (const report::KernelReport &kernel : folder.report.kernels) {
    CUfunction function = nullptr;
    cuda.check(cuda.cuModuleGetFunction(&function, module, kernel.name.c_str()),
               "finding the kernel " + kernel.name);
    const auto attribute = [&](CUfunction_attribute wanted) {
      int value = 0;
      cuda.check(cuda.cuFuncGetAttribute(&value, wanted, function), "cuFuncGetAttribute");
      return value;
    };
    facts.kernels.push_back({kernel.name, attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
                             attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                             attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
                             attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)});
  }
  cuda.cuModuleUnload(module);
  return facts;
}

} // namespace tessera::bench
