// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/driver.h"
#include "engine/bench/device/nvml.h"
#include "engine/bench/device_description.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// The one GPU that this process measures on, with the one context for all work. After a device
// error it is unusable, and the process must end.
class Device {
public:
  // Takes the first GPU that the driver shows (CUDA_VISIBLE_DEVICES selects).
  Device();

  const Driver &driver() const { return *m_driver; }
  CUcontext context() const { return m_context; }
  const Nvml *nvml() const { return m_nvml.get(); }
  const std::string &name() const { return m_name; }
  int major() const { return m_major; }
  int minor() const { return m_minor; }
  std::string driverVersion() const;
  std::string cudaVersion() const;
  DeviceState state() const { return m_nvml ? m_nvml->state() : DeviceState{}; }
  std::int64_t attribute(CUdevice_attribute attribute) const;

  // Waits for all launches. Fails with their error if one of them failed.
  void synchronize() const;

  DeviceDescription describe() const;

private:
  std::unique_ptr<Driver> m_driver;
  CUdevice m_device = 0;
  CUcontext m_context = nullptr;
  std::string m_name, m_pciBusId;
  int m_major = 0, m_minor = 0;
  std::unique_ptr<Nvml> m_nvml;
  std::vector<std::string> m_absent;
};

} // namespace tessera::bench
