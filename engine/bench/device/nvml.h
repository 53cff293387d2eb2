// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/shared_library.h"
#include "engine/bench/measurement.h"

#include <memory>
#include <string>

namespace tessera::bench {

// NVIDIA's management library: clocks, temperature, power and the reasons for throttling. It comes
// with the driver, but some containers leave it out.
//
// Its few functions are declared here and not taken from nvml.h: many toolkits lack that header,
// and a function of NVML never changes its name or arguments (a new form gets a new name).
class Nvml {
public:
  // `pciBusId` in the driver's notation.
  static Result<std::unique_ptr<Nvml>> open(const std::string &pciBusId);
  ~Nvml();

  std::string driverVersion() const;
  double mostMultiprocessorHz() const; // 0: unknown
  double mostMemoryHz() const;
  DeviceState state() const; // unknown values are 0
  bool isLost() const;

private:
  struct Functions;
  explicit Nvml(SharedLibrary library);

  SharedLibrary m_library;
  std::unique_ptr<Functions> m_functions;
  void *m_device = nullptr;
};

} // namespace tessera::bench
