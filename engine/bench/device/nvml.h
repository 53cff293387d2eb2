// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/shared_library.h"
#include "engine/bench/measurement.h"

#include <memory>
#include <string>

namespace tessera::bench {

// NVIDIA's management library: clocks, temperature, power and why the GPU is held back. It comes
// with the driver; containers sometimes leave it out.
//
// Its few functions are declared here, not by nvml.h: many toolkits come without that header, and
// a function of NVML keeps its name and arguments for good (a new form has a new name).
class Nvml {
public:
  // `pciBusId` as the driver says it.
  static Result<std::unique_ptr<Nvml>> open(const std::string &pciBusId);
  ~Nvml();

  std::string driverVersion() const;
  double mostMultiprocessorHz() const; // 0: not told
  double mostMemoryHz() const;
  DeviceState state() const; // what is not told is 0
  bool isLost() const;

private:
  struct Functions;
  explicit Nvml(SharedLibrary library);

  SharedLibrary m_library;
  std::unique_ptr<Functions> m_functions;
  void *m_device = nullptr;
};

} // namespace tessera::bench
