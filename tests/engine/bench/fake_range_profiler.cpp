// SPDX-License-Identifier: MIT
// The counting part of the fake CUPTI. The n-th launch after the profiler started has the
// value 1000 * (n + 1) + i for the i-th metric that was asked for. Two runs are needed.
// TESSERA_FAKE_CUPTI may have, separated by blanks:
//
//   forbid     counting is for administrators
//   busy       another profiler is at work when the first run starts
//   lack WORD  this GPU has no metrics with the word in their names
//   endless    it always wants one more run
#include "tests/engine/bench/fake_cuda.h"

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using tessera::bench::test::FakeLaunch;

// CUPTI's headers only declare these two types, so the fake defines them.
struct CUpti_Profiler_Host_Object {
  std::size_t metrics = 0;
};
struct CUpti_RangeProfiler_Object {
  std::size_t most = 0;
  int pass = 0;
};

namespace {

constexpr int kPasses = 2;
constexpr std::size_t kImageBytes = 64;
std::size_t countedLaunches = 0;

bool wishes(std::string_view word) {
  const char *all = std::getenv("TESSERA_FAKE_CUPTI");
  std::istringstream words(all ? all : "");
  for (std::string one; words >> one;)
    if (one == word) return true;
  return false;
}

bool isLacking(std::string_view metric) {
  const char *all = std::getenv("TESSERA_FAKE_CUPTI");
  std::istringstream words(all ? all : "");
  for (std::string one; words >> one;)
    if (one == "lack" && words >> one && metric.find(one) != std::string_view::npos) return true;
  return false;
}

std::size_t launchesSinceAsked() {
  void *driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  const auto take =
      reinterpret_cast<decltype(&takeFakeLaunches)>(::dlsym(driver, "takeFakeLaunches"));
  return take ? take()->size() : 0;
}

} // namespace

extern "C" {

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *) { return CUPTI_SUCCESS; }
CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params) {
  params->pChipName = "FK100";
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *params) {
  params->counterAvailabilityImageSize = kImageBytes;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *params) {
  if (std::string_view(params->pChipName) != "FK100") return CUPTI_ERROR_INVALID_PARAMETER;
  params->pHostObject = new CUpti_Profiler_Host_Object;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *params) {
  delete params->pHostObject;
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params *params) {
  return isLacking(params->pMetricName) ? CUPTI_ERROR_INVALID_METRIC_NAME : CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *params) {
  params->pHostObject->metrics += params->numMetrics;
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *params) {
  params->configImageSize = kImageBytes;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *params) {
  return params->configImageSize == kImageBytes ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *params) {
  params->numOfPasses = kPasses;
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params) {
  if (params->numMetrics != params->pHostObject->metrics) return CUPTI_ERROR_INVALID_PARAMETER;
  for (std::size_t i = 0; i < params->numMetrics; ++i)
    params->pMetricValues[i] = static_cast<double>(1000 * (params->rangeIndex + 1) + i);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *params) {
  if (wishes("forbid")) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  params->pRangeProfilerObject = new CUpti_RangeProfiler_Object;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *params) {
  delete params->pRangeProfilerObject;
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *params) {
  params->counterDataSize = kImageBytes * params->maxNumOfRanges;
  return params->maxNumRangeTreeNodes >= params->maxNumOfRanges ? CUPTI_SUCCESS
                                                                : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params *) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *params) {
  if (params->range != CUPTI_AutoRange || params->replayMode != CUPTI_UserReplay)
    return CUPTI_ERROR_INVALID_OPERATION;
  params->pRangeProfilerObject->most = params->maxRangesPerPass;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *) {
  if (wishes("busy")) return CUPTI_ERROR_HARDWARE_BUSY;
  launchesSinceAsked(); // drops the launches before this call, which are not counted
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *params) {
  countedLaunches = launchesSinceAsked();
  if (countedLaunches > params->pRangeProfilerObject->most) return CUPTI_ERROR_OUT_OF_MEMORY;
  params->isAllPassSubmitted =
      !wishes("endless") && ++params->pRangeProfilerObject->pass >= kPasses ? 1 : 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *) {
  return CUPTI_SUCCESS;
}
CUptiResult
cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *params) {
  params->numTotalRanges = countedLaunches;
  return CUPTI_SUCCESS;
}

} // extern "C"
