// SPDX-License-Identifier: MIT
#include "engine/bench/device/measure_ceilings.h"

#include "engine/bench/device/ceiling_kernels.h"
#include "engine/base/utc_now.h"
#include "engine/bench/spread.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <map>

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSampleSeconds = 3e-3; // long enough to make a launch negligible
constexpr int kSamples = 9;
constexpr double kWarmUpSeconds = 0.4; // an idle GPU needs this to raise its clocks
constexpr std::uint32_t kFewSteps = 16, kManySteps = 1U << 24U;
constexpr std::int64_t kLeastBuffer = std::int64_t{64} << 20;
constexpr int kCachesInBuffer = 16; // buffer size as a multiple of the L2: little of it is cached
constexpr int kPartOfMemory = 8;    // each of the two buffers takes at most 1/8 of the GPU's memory

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The buffers of the kernels, and the events that time their launches.
class CeilingRun {
public:
  CeilingRun(const Device &device, std::int64_t memoryBytes)
      : m_device(device), m_cuda(device.driver()) {
    const std::string text = ceilingPtx();
    m_cuda.check(m_cuda.cuModuleLoadDataEx(&m_module, text.c_str(), 0, nullptr, nullptr),
                 "compiling the kernels that measure ceilings");
    for (const CeilingKernel &kernel : ceilingKernels())
      m_cuda.check(
          m_cuda.cuModuleGetFunction(&m_functions[kernel.name], m_module, kernel.name.c_str()),
          "finding the kernel " + kernel.name);
    m_cuda.check(m_cuda.cuEventCreate(&m_before, CU_EVENT_DEFAULT), "cuEventCreate");
    m_cuda.check(m_cuda.cuEventCreate(&m_after, CU_EVENT_DEFAULT), "cuEventCreate");
    m_bufferBytes = bufferBytes(memoryBytes);
    for (CUdeviceptr *buffer : {&m_from, &m_to}) {
      m_cuda.check(m_cuda.cuMemAlloc(buffer, static_cast<std::size_t>(m_bufferBytes)),
                   "cuMemAlloc for measuring ceilings");
      m_cuda.check(m_cuda.cuMemsetD8(*buffer, 1, static_cast<std::size_t>(m_bufferBytes)),
                   "cuMemsetD8");
    }
  }
  ~CeilingRun() {
    if (m_from) m_cuda.cuMemFree(m_from);
    if (m_to) m_cuda.cuMemFree(m_to);
    if (m_before) m_cuda.cuEventDestroy(m_before);
    if (m_after) m_cuda.cuEventDestroy(m_after);
    if (m_module) m_cuda.cuModuleUnload(m_module);
  }
  CeilingRun(const CeilingRun &) = delete;
  CeilingRun &operator=(const CeilingRun &) = delete;

  void warmUp(const CeilingKernel &kernel) {
    const auto start = Clock::now();
    std::uint32_t steps = kFewSteps;
    while (since(start) < kWarmUpSeconds)
      steps = nextSteps(steps, seconds(kernel, steps));
  }

  CeilingRate measure(const CeilingKernel &kernel) {
    std::uint32_t steps = kFewSteps;
    for (double once = seconds(kernel, steps); once < kSampleSeconds / 2 && steps < kManySteps;
         once = seconds(kernel, steps))
      steps = nextSteps(steps, once);
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
      samples.push_back(seconds(kernel, steps));
    const double done =
        kernel.perThreadStep * steps * static_cast<double>(blocks(kernel)) * kCeilingThreads;
    CeilingRate rate{kernel.name, kernel.label, kernel.unit, 0, 0, kSamples, workingSet(kernel)};
    rate.perSecond = done / *std::ranges::min_element(samples);
    rate.medianPerSecond = done / spreadOf(std::move(samples)).median;
    return rate;
  }

private:
  static std::uint32_t nextSteps(std::uint32_t steps, double took) {
    constexpr double kMostAtOnce = 16;
    const double more = std::clamp(kSampleSeconds / std::max(took, 1e-9), 1.0, kMostAtOnce);
    return std::min(kManySteps, static_cast<std::uint32_t>(steps * more) + 1);
  }

  std::int64_t cacheBytes() const { return m_device.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE); }

  // Sizes are powers of two, because addresses are masked.
  std::int64_t bufferBytes(std::int64_t memoryBytes) const {
    const std::int64_t wanted = std::max(kLeastBuffer, kCachesInBuffer * cacheBytes());
    return floorToPower(std::min(wanted, memoryBytes / kPartOfMemory));
  }
  static std::int64_t floorToPower(std::int64_t bytes) {
    return static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::max(bytes, kChunkBytes))));
  }

  std::int64_t workingSet(const CeilingKernel &kernel) const {
    switch (kernel.kind) {
    case CeilingKind::Dram:
      return m_bufferBytes;
    case CeilingKind::L2:
      return floorToPower(std::min(cacheBytes() / 2, m_bufferBytes));
    case CeilingKind::L1:
    case CeilingKind::Shared:
      return kChunkBytes;
    case CeilingKind::Arithmetic:
      return 0;
    }
    return 0;
  }

  // The number of blocks in a launch: as many as can be resident at once.
  std::int64_t blocks(const CeilingKernel &kernel) const {
    int resident = 0;
    m_cuda.check(m_cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                     &resident, m_functions.at(kernel.name), kCeilingThreads, 0),
                 "asking how many blocks of " + kernel.name + " are resident");
    return m_device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) * std::max(1, resident);
  }

  double seconds(const CeilingKernel &kernel, std::uint32_t steps) {
    auto mask =
        static_cast<std::uint32_t>(std::max<std::int64_t>(workingSet(kernel) / kChunkBytes, 1) - 1);
    std::array<void *, 4> arguments{&m_from, &m_to, &mask, &steps};
    m_cuda.check(m_cuda.cuEventRecord(m_before, nullptr), "cuEventRecord");
    m_cuda.check(m_cuda.cuLaunchKernel(m_functions.at(kernel.name),
                                       static_cast<unsigned>(blocks(kernel)), 1, 1, kCeilingThreads,
                                       1, 1, 0, nullptr, arguments.data(), nullptr),
                 "launching " + kernel.name);
    m_cuda.check(m_cuda.cuEventRecord(m_after, nullptr), "cuEventRecord");
    m_device.synchronize();
    float milliseconds = 0;
    m_cuda.check(m_cuda.cuEventElapsedTime(&milliseconds, m_before, m_after), "cuEventElapsedTime");
    return milliseconds / 1e3;
  }

  const Device &m_device;
  const Driver &m_cuda;
  CUmodule m_module = nullptr;
  std::map<std::string, CUfunction> m_functions;
  CUevent m_before = nullptr, m_after = nullptr;
  CUdeviceptr m_from = 0, m_to = 0;
  std::int64_t m_bufferBytes = 0;
};

} // namespace

MeasuredCeilings measureCeilings(const Device &device, const std::string &program,
                                 const job::ProgressCallback &progress) {
  const auto start = Clock::now();
  const DeviceDescription about = device.describe();
  MeasuredCeilings result{
      about.name, about.uuid, about.driver, about.cudaVersion, utcNow(), program, 0, {}, {}, {}};
  if (progress) progress({"compiling", 0});
  CeilingRun run(device, about.memoryBytes);
  const std::vector<CeilingKernel> &kernels = ceilingKernels();
  run.warmUp(kernels.front());
  result.before = device.state();
  for (const CeilingKernel &kernel : kernels) {
    if (progress)
      progress({"measuring " + kernel.name,
                static_cast<double>(result.rates.size()) / static_cast<double>(kernels.size())});
    result.rates.push_back(run.measure(kernel));
  }
  result.after = device.state();
  result.seconds = since(start);
  return result;
}

} // namespace tessera::bench
