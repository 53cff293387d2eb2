// SPDX-License-Identifier: MIT
// A libnvidia-ml.so.1 that goes with the fake libcuda.so.1. TESSERA_FAKE_NVML=lost: the GPU is
// gone; =absent: NVML cannot be initialised.
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

bool wished(std::string_view word) {
  const char *wish = std::getenv("TESSERA_FAKE_NVML");
  return wish && word == wish;
}

} // namespace

extern "C" {

int nvmlInit_v2() { return wished("absent") ? 9 : 0; }
int nvmlShutdown() { return 0; }
const char *nvmlErrorString(int) { return "as the test wished"; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
  static int theDevice = 0;
  *device = &theDevice;
  return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}
int nvmlSystemGetDriverVersion(char *text, unsigned length) {
  std::strncpy(text, "999.01", length);
  return 0;
}
int nvmlDeviceGetClockInfo(void *, int clock, unsigned *megahertz) {
  *megahertz = clock == 1 ? 1700 : 2600;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void *, int clock, unsigned *megahertz) {
  *megahertz = clock == 1 ? 1980 : 3201;
  return 0;
}
int nvmlDeviceGetTemperature(void *, int, unsigned *celsius) {
  *celsius = 41;
  return wished("lost") ? 15 : 0;
}
int nvmlDeviceGetPowerUsage(void *, unsigned *milliwatts) {
  *milliwatts = 123'000;
  return 0;
}
int nvmlDeviceGetCurrentClocksEventReasons(void *, unsigned long long *reasons) {
  *reasons = 0x4 | 0x1; // the power limit, and the idle bit, which is not a reason
  return 0;
}

} // extern "C"
