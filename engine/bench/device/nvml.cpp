// SPDX-License-Identifier: MIT
#include "engine/bench/device/nvml.h"

#include <array>
#include <utility>

namespace tessera::bench {

namespace {

// The values of nvml.h that are used here.
enum Code : int { kSuccess = 0, kGpuIsLost = 15 };
enum Clock : int { kMultiprocessor = 1, kMemory = 2 };
constexpr int kGpuTemperature = 0;

// nvmlClocksEventReason… of nvml.h. Being idle and following the user's clock settings do not count
// as throttling.
constexpr std::array<std::pair<unsigned long long, const char *>, 6> kReasons{{
    {0x4, "power limit"},
    {0x8, "hardware slowdown"},
    {0x10, "clocks kept equal to other GPUs"},
    {0x20, "temperature (driver)"},
    {0x40, "temperature (hardware)"},
    {0x80, "power brake"},
}};

} // namespace

struct Nvml::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*byPciBusId)(const char *, void **) = nullptr;
  const char *(*errorString)(int) = nullptr;
  // Each of these functions is null if the driver is too old for it. A device that does not support
  // one makes it return an error code.
  int (*driverVersion)(char *, unsigned) = nullptr;
  int (*clock)(void *, int, unsigned *) = nullptr;
  int (*mostClock)(void *, int, unsigned *) = nullptr;
  int (*temperature)(void *, int, unsigned *) = nullptr;
  int (*power)(void *, unsigned *) = nullptr;
  int (*reasons)(void *, unsigned long long *) = nullptr;
};

Nvml::Nvml(SharedLibrary library)
    : m_library(std::move(library)), m_functions(std::make_unique<Functions>()) {}

Nvml::~Nvml() {
  if (m_device) m_functions->shutdown();
}

Result<std::unique_ptr<Nvml>> Nvml::open(const std::string &pciBusId) {
  auto library = SharedLibrary::open({"libnvidia-ml.so.1"});
  if (!library) return library.error();
  std::unique_ptr<Nvml> nvml(new Nvml(std::move(*library)));
  Functions &f = *nvml->m_functions;
  const SharedLibrary &from = nvml->m_library;
  const auto failed = [](std::string what) {
    return Error{ErrorCode::System, std::move(what), ""};
  };
  if (!assignSymbol(from, "nvmlInit_v2", f.init) ||
      !assignSymbol(from, "nvmlShutdown", f.shutdown) ||
      !assignSymbol(from, "nvmlDeviceGetHandleByPciBusId_v2", f.byPciBusId) ||
      !assignSymbol(from, "nvmlErrorString", f.errorString))
    return failed("libnvidia-ml.so.1 is too old");
  assignSymbol(from, "nvmlSystemGetDriverVersion", f.driverVersion);
  assignSymbol(from, "nvmlDeviceGetClockInfo", f.clock);
  assignSymbol(from, "nvmlDeviceGetMaxClockInfo", f.mostClock);
  assignSymbol(from, "nvmlDeviceGetTemperature", f.temperature);
  assignSymbol(from, "nvmlDeviceGetPowerUsage", f.power);
  // The function was renamed in driver 535.
  if (!assignSymbol(from, "nvmlDeviceGetCurrentClocksEventReasons", f.reasons))
    assignSymbol(from, "nvmlDeviceGetCurrentClocksThrottleReasons", f.reasons);
  if (const int code = f.init(); code != kSuccess)
    return failed(std::string("nvmlInit: ") + f.errorString(code));
  void *device = nullptr;
  if (const int code = f.byPciBusId(pciBusId.c_str(), &device); code != kSuccess) {
    const std::string words = f.errorString(code);
    f.shutdown();
    return failed("nvmlDeviceGetHandleByPciBusId: " + words);
  }
  nvml->m_device = device;
  return nvml;
}

std::string Nvml::driverVersion() const {
  std::array<char, 96> text{};
  if (!m_functions->driverVersion ||
      m_functions->driverVersion(text.data(), text.size()) != kSuccess)
    return {};
  return text.data();
}

double Nvml::mostMultiprocessorHz() const {
  unsigned megahertz = 0;
  if (!m_functions->mostClock ||
      m_functions->mostClock(m_device, kMultiprocessor, &megahertz) != kSuccess)
    return 0;
  return megahertz * 1e6;
}

double Nvml::mostMemoryHz() const {
  unsigned megahertz = 0;
  if (!m_functions->mostClock || m_functions->mostClock(m_device, kMemory, &megahertz) != kSuccess)
    return 0;
  return megahertz * 1e6;
}

DeviceState Nvml::state() const {
  DeviceState state;
  unsigned number = 0;
  const auto told = [&](int code) { return code == kSuccess; };
  const Functions &f = *m_functions;
  if (f.clock && told(f.clock(m_device, kMultiprocessor, &number)))
    state.multiprocessorMhz = static_cast<int>(number);
  if (f.clock && told(f.clock(m_device, kMemory, &number)))
    state.memoryMhz = static_cast<int>(number);
  if (f.temperature && told(f.temperature(m_device, kGpuTemperature, &number)))
    state.celsius = static_cast<int>(number);
  if (f.power && told(f.power(m_device, &number))) state.watts = number / 1e3;
  unsigned long long reasons = 0;
  if (f.reasons && told(f.reasons(m_device, &reasons)))
    for (const auto &[bit, words] : kReasons)
      if (reasons & bit) state.throttled.emplace_back(words);
  return state;
}

bool Nvml::isLost() const {
  unsigned number = 0;
  return m_functions->temperature &&
         m_functions->temperature(m_device, kGpuTemperature, &number) == kGpuIsLost;
}

} // namespace tessera::bench
