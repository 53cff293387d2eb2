// SPDX-License-Identifier: MIT
#include "engine/bench/device/range_profiler.h"

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <cstdint>

namespace tessera::bench {

namespace {

constexpr int kMostPasses = 100; // more than any GPU needs for these counters

#define TESSERA_CUPTI_FUNCTIONS(F)                                                                 \
  F(cuptiGetVersion)                                                                               \
  F(cuptiGetResultString)                                                                          \
  F(cuptiProfilerInitialize)                                                                       \
  F(cuptiProfilerDeInitialize)                                                                     \
  F(cuptiDeviceGetChipName)                                                                        \
  F(cuptiProfilerGetCounterAvailability)                                                           \
  F(cuptiProfilerHostInitialize)                                                                   \
  F(cuptiProfilerHostDeinitialize)                                                                 \
  F(cuptiProfilerHostGetMetricProperties)                                                          \
  F(cuptiProfilerHostConfigAddMetrics)                                                             \
  F(cuptiProfilerHostGetConfigImageSize)                                                           \
  F(cuptiProfilerHostGetConfigImage)                                                               \
  F(cuptiProfilerHostGetNumOfPasses)                                                               \
  F(cuptiProfilerHostEvaluateToGpuValues)                                                          \
  F(cuptiRangeProfilerEnable)                                                                      \
  F(cuptiRangeProfilerDisable)                                                                     \
  F(cuptiRangeProfilerGetCounterDataSize)                                                          \
  F(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  F(cuptiRangeProfilerSetConfig)                                                                   \
  F(cuptiRangeProfilerStart)                                                                       \
  F(cuptiRangeProfilerStop)                                                                        \
  F(cuptiRangeProfilerDecodeData)                                                                  \
  F(cuptiRangeProfilerGetCounterDataInfo)

struct ProfilerFunctions {
#define TESSERA_DECLARE(function) decltype(&::function) function = nullptr;
  TESSERA_CUPTI_FUNCTIONS(TESSERA_DECLARE)
#undef TESSERA_DECLARE
};

std::string hintFor(CUptiResult code) {
  if (code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
    return "The driver lets only administrators count (ERR_NVGPUCTRPERM). An administrator can "
           "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or start the container "
           "with --cap-add=SYS_ADMIN.";
  if (code == CUPTI_ERROR_HARDWARE_BUSY)
    return "Another profiler is counting on this GPU: end it and try again.";
  return "";
}

// CUPTI's profiling functions take a structure that begins with its size and a null pointer.
#define TESSERA_PARAMS(Type)                                                                       \
  Type##_Params { Type##_Params_STRUCT_SIZE, nullptr }

class CuptiRangeProfiler : public RangeProfiler {
public:
  CuptiRangeProfiler(SharedLibrary library, const ProfilerFunctions &functions, CUcontext context)
      : m_library(std::move(library)), m_functions(functions), m_context(context) {}
  ~CuptiRangeProfiler() override {
    disable();
    endHost(m_host);
    auto end = TESSERA_PARAMS(CUpti_Profiler_DeInitialize);
    if (m_isInitialized) m_functions.cuptiProfilerDeInitialize(&end);
  }

  Status begin(std::size_t device);

  std::string version() const override {
    std::uint32_t version = 0;
    m_functions.cuptiGetVersion(&version);
    return m_library.name() + ", API " + std::to_string(version);
  }
  std::string chip() const override { return m_chip; }
  bool has(const std::string &metric) const override;
  Result<Counted> count(const std::vector<std::string> &metrics, std::size_t launches,
                        const std::function<void()> &run) override;

private:
  Error errorOf(const char *call, CUptiResult code) const {
    const char *words = nullptr;
    m_functions.cuptiGetResultString(code, &words);
    return {ErrorCode::System,
            std::string(call) + ": " + (words ? words : "error " + std::to_string(code)),
            hintFor(code)};
  }
  template <typename Params>
  Status call(CUptiResult (*function)(Params *), Params &params, const char *name) const {
    const CUptiResult code = function(&params);
    if (code != CUPTI_SUCCESS) return errorOf(name, code);
    return Done{};
  }

  Status readAvailability();
  Result<CUpti_Profiler_Host_Object *> newHost() const;
  void endHost(CUpti_Profiler_Host_Object *host) const;
  void disable();
  Status configure(std::vector<const char *> &metrics);
  Status prepare(std::vector<const char *> &metrics, std::size_t launches);
  Result<int> replay(const std::function<void()> &run);
  Result<Counted> evaluate(std::vector<const char *> &metrics, std::size_t launches);

  SharedLibrary m_library;
  ProfilerFunctions m_functions;
  CUcontext m_context;
  bool m_isInitialized = false;
  std::string m_chip;
  std::vector<std::uint8_t> m_availability, m_config, m_data;
  CUpti_Profiler_Host_Object *m_host = nullptr; // the host object that knows the metrics
  CUpti_RangeProfiler_Object *m_profiler = nullptr;
};

#define TESSERA_CALL(function, params) call(m_functions.function, params, #function)

Status CuptiRangeProfiler::begin(std::size_t device) {
  auto initialize = TESSERA_PARAMS(CUpti_Profiler_Initialize);
  if (Status done = TESSERA_CALL(cuptiProfilerInitialize, initialize); !done) return done;
  m_isInitialized = true;
  auto name = TESSERA_PARAMS(CUpti_Device_GetChipName);
  name.deviceIndex = device;
  if (Status done = TESSERA_CALL(cuptiDeviceGetChipName, name); !done) return done;
  m_chip = name.pChipName;
  if (Status done = readAvailability(); !done) return done;
  auto host = newHost();
  if (!host) return host.error();
  m_host = *host;
  return Done{};
}

Status CuptiRangeProfiler::readAvailability() {
  auto image = TESSERA_PARAMS(CUpti_Profiler_GetCounterAvailability);
  image.ctx = m_context;
  if (Status done = TESSERA_CALL(cuptiProfilerGetCounterAvailability, image); !done) return done;
  m_availability.resize(image.counterAvailabilityImageSize);
  image.pCounterAvailabilityImage = m_availability.data();
  return TESSERA_CALL(cuptiProfilerGetCounterAvailability, image);
}

Result<CUpti_Profiler_Host_Object *> CuptiRangeProfiler::newHost() const {
  auto host = TESSERA_PARAMS(CUpti_Profiler_Host_Initialize);
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = m_chip.c_str();
  host.pCounterAvailabilityImage = m_availability.data();
  if (const Status done = TESSERA_CALL(cuptiProfilerHostInitialize, host); !done)
    return done.error();
  return host.pHostObject;
}

void CuptiRangeProfiler::endHost(CUpti_Profiler_Host_Object *host) const {
  if (!host) return;
  auto end = TESSERA_PARAMS(CUpti_Profiler_Host_Deinitialize);
  end.pHostObject = host;
  m_functions.cuptiProfilerHostDeinitialize(&end);
}

void CuptiRangeProfiler::disable() {
  if (!m_profiler) return;
  auto end = TESSERA_PARAMS(CUpti_RangeProfiler_Disable);
  end.pRangeProfilerObject = m_profiler;
  m_functions.cuptiRangeProfilerDisable(&end);
  m_profiler = nullptr;
}

// A metric may be known but not countable on this GPU; only an attempt to configure it shows that.
bool CuptiRangeProfiler::has(const std::string &metric) const {
  auto properties = TESSERA_PARAMS(CUpti_Profiler_Host_GetMetricProperties);
  properties.pHostObject = m_host;
  properties.pMetricName = metric.c_str();
  if (m_functions.cuptiProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS) return false;
  const auto host = newHost();
  if (!host) return false;
  const char *name = metric.c_str();
  auto add = TESSERA_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics);
  add.pHostObject = *host;
  add.ppMetricNames = &name;
  add.numMetrics = 1;
  const bool isCounted = m_functions.cuptiProfilerHostConfigAddMetrics(&add) == CUPTI_SUCCESS;
  endHost(*host);
  return isCounted;
}

Status CuptiRangeProfiler::configure(std::vector<const char *> &metrics) {
  auto add = TESSERA_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics);
  add.pHostObject = m_host;
  add.ppMetricNames = metrics.data();
  add.numMetrics = metrics.size();
  if (Status done = TESSERA_CALL(cuptiProfilerHostConfigAddMetrics, add); !done) return done;
  auto size = TESSERA_PARAMS(CUpti_Profiler_Host_GetConfigImageSize);
  size.pHostObject = m_host;
  if (Status done = TESSERA_CALL(cuptiProfilerHostGetConfigImageSize, size); !done) return done;
  m_config.resize(size.configImageSize);
  auto image = TESSERA_PARAMS(CUpti_Profiler_Host_GetConfigImage);
  image.pHostObject = m_host;
  image.configImageSize = m_config.size();
  image.pConfigImage = m_config.data();
  return TESSERA_CALL(cuptiProfilerHostGetConfigImage, image);
}

Status CuptiRangeProfiler::prepare(std::vector<const char *> &metrics, std::size_t launches) {
  auto enable = TESSERA_PARAMS(CUpti_RangeProfiler_Enable);
  enable.ctx = m_context;
  if (Status done = TESSERA_CALL(cuptiRangeProfilerEnable, enable); !done) return done;
  m_profiler = enable.pRangeProfilerObject;
  auto size = TESSERA_PARAMS(CUpti_RangeProfiler_GetCounterDataSize);
  size.pRangeProfilerObject = m_profiler;
  size.pMetricNames = metrics.data();
  size.numMetrics = metrics.size();
  size.maxNumOfRanges = launches;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(launches);
  if (Status done = TESSERA_CALL(cuptiRangeProfilerGetCounterDataSize, size); !done) return done;
  m_data.assign(size.counterDataSize, 0);
  auto data = TESSERA_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize);
  data.pRangeProfilerObject = m_profiler;
  data.counterDataSize = m_data.size();
  data.pCounterData = m_data.data();
  if (Status done = TESSERA_CALL(cuptiRangeProfilerCounterDataImageInitialize, data); !done)
    return done;
  auto config = TESSERA_PARAMS(CUpti_RangeProfiler_SetConfig);
  config.pRangeProfilerObject = m_profiler;
  config.configSize = m_config.size();
  config.pConfig = m_config.data();
  config.counterDataImageSize = m_data.size();
  config.pCounterDataImage = m_data.data();
  config.range = CUPTI_AutoRange; // one range per launch
  // The program itself repeats the runs for the profiler. A pipeline writes the same outputs again,
  // so nothing has to be saved, and each kernel finds the caches as the kernel before left them.
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = launches;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.targetNestingLevel = 1;
  return TESSERA_CALL(cuptiRangeProfilerSetConfig, config);
}

Result<int> CuptiRangeProfiler::replay(const std::function<void()> &run) {
  for (int pass = 1; pass <= kMostPasses; ++pass) {
    auto start = TESSERA_PARAMS(CUpti_RangeProfiler_Start);
    start.pRangeProfilerObject = m_profiler;
    if (const Status done = TESSERA_CALL(cuptiRangeProfilerStart, start); !done)
      return done.error();
    run();
    auto stop = TESSERA_PARAMS(CUpti_RangeProfiler_Stop);
    stop.pRangeProfilerObject = m_profiler;
    if (const Status done = TESSERA_CALL(cuptiRangeProfilerStop, stop); !done) return done.error();
    if (stop.isAllPassSubmitted) return pass;
  }
  return Error{ErrorCode::System,
               "CUPTI still needs more runs after " + std::to_string(kMostPasses) + " runs", ""};
}

Result<RangeProfiler::Counted> CuptiRangeProfiler::evaluate(std::vector<const char *> &metrics,
                                                            std::size_t launches) {
  auto decode = TESSERA_PARAMS(CUpti_RangeProfiler_DecodeData);
  decode.pRangeProfilerObject = m_profiler;
  if (const Status done = TESSERA_CALL(cuptiRangeProfilerDecodeData, decode); !done)
    return done.error();
  auto info = TESSERA_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo);
  info.pCounterDataImage = m_data.data();
  info.counterDataImageSize = m_data.size();
  if (const Status done = TESSERA_CALL(cuptiRangeProfilerGetCounterDataInfo, info); !done)
    return done.error();
  if (info.numTotalRanges != launches)
    return Error{ErrorCode::System,
                 "CUPTI counted " + std::to_string(info.numTotalRanges) + " of " +
                     std::to_string(launches) + " launches",
                 ""};
  Counted counted;
  for (std::size_t launch = 0; launch < launches; ++launch) {
    std::vector<double> &values = counted.launches.emplace_back(metrics.size());
    auto evaluation = TESSERA_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues);
    evaluation.pHostObject = m_host;
    evaluation.pCounterDataImage = m_data.data();
    evaluation.counterDataImageSize = m_data.size();
    evaluation.rangeIndex = launch;
    evaluation.ppMetricNames = metrics.data();
    evaluation.numMetrics = metrics.size();
    evaluation.pMetricValues = values.data();
    if (const Status done = TESSERA_CALL(cuptiProfilerHostEvaluateToGpuValues, evaluation); !done)
      return done.error();
  }
  return counted;
}

Result<RangeProfiler::Counted> CuptiRangeProfiler::count(const std::vector<std::string> &metrics,
                                                         std::size_t launches,
                                                         const std::function<void()> &run) {
  std::vector<const char *> names;
  for (const std::string &metric : metrics)
    names.push_back(metric.c_str());
  if (const Status done = configure(names); !done) return done.error();
  if (const Status done = prepare(names, launches); !done) return done.error();
  const auto passes = replay(run);
  if (!passes) return passes.error();
  auto counted = evaluate(names, launches);
  disable();
  if (counted) counted->passes = *passes;
  return counted;
}

} // namespace

Result<std::unique_ptr<RangeProfiler>>
RangeProfiler::open(const std::vector<std::string> &libraries, CUcontext context,
                    std::size_t device) {
  auto library = SharedLibrary::open(libraries, SharedLibrary::Unload::Never);
  if (!library) return library.error();
  ProfilerFunctions functions;
#define TESSERA_ASSIGN(function)                                                                   \
  if (!assignSymbol(*library, #function, functions.function))                                      \
    return Error{                                                                                  \
        ErrorCode::System,                                                                         \
        library->name() + " has no " #function ": it cannot count what kernels do",                \
        "CUPTI of CUDA 12.8 or newer can; set CUDA_HOME to the folder of such a toolkit."};
  TESSERA_CUPTI_FUNCTIONS(TESSERA_ASSIGN)
#undef TESSERA_ASSIGN
  auto profiler = std::make_unique<CuptiRangeProfiler>(std::move(*library), functions, context);
  if (const Status begun = profiler->begin(device); !begun) return begun.error();
  return std::unique_ptr<RangeProfiler>(std::move(profiler));
}

} // namespace tessera::bench
