// SPDX-License-Identifier: MIT
// A libcupti.so.13 that knows the launches of the fake libcuda.so.1. With TESSERA_FAKE_CUPTI=refuse
// it refuses to record, as for a user without permission to profile.
#include "tests/engine/bench/fake_cuda.h"

#include <cupti.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

using tessera::bench::test::FakeLaunch;
using Record = CUpti_ActivityKernel9;

CUpti_BuffersCallbackRequestFunc giveBuffer = nullptr;
CUpti_BuffersCallbackCompleteFunc takeBuffer = nullptr;
bool isRecording = false;

std::vector<FakeLaunch> launchesOfTheDriver() {
  void *driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  const auto take =
      reinterpret_cast<decltype(&takeFakeLaunches)>(::dlsym(driver, "takeFakeLaunches"));
  return take ? *take() : std::vector<FakeLaunch>{};
}

} // namespace

extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t *version) {
  *version = 130000;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char **text) {
  *text = "as the test wished";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc give,
                                           CUpti_BuffersCallbackCompleteFunc take) {
  giveBuffer = give;
  takeBuffer = take;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  const char *wish = std::getenv("TESSERA_FAKE_CUPTI");
  if (wish && std::string_view(wish) == "refuse") return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return CUPTI_ERROR_INVALID_KIND;
  launchesOfTheDriver(); // drops the launches before this call, which are not recorded
  isRecording = true;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind) {
  isRecording = false;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  if (!isRecording) return CUPTI_SUCCESS;
  const std::vector<FakeLaunch> launches = launchesOfTheDriver();
  std::uint8_t *buffer = nullptr;
  std::size_t size = 0, most = 0, valid = 0;
  giveBuffer(&buffer, &size, &most);
  for (const FakeLaunch &launch : launches) {
    if (valid + sizeof(Record) > size) break;
    Record record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.start = launch.begin;
    record.end = launch.end;
    record.name = launch.kernel;
    std::memcpy(buffer + valid, &record, sizeof record);
    valid += sizeof record;
  }
  takeBuffer(nullptr, 0, buffer, size, valid);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t *buffer, std::size_t valid,
                                       CUpti_Activity **record) {
  auto *next = *record ? reinterpret_cast<std::uint8_t *>(*record) + sizeof(Record) : buffer;
  if (next + sizeof(Record) > buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity *>(next);
  return CUPTI_SUCCESS;
}

} // extern "C"
