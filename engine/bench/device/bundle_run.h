// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/device.h"
#include "engine/bench/device/launch_hooks.h"
#include "engine/bench/device/loaded_bundle.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::bench {

// A bundle for CUDA on this device, and its runs. On a device in an error it must not be destroyed:
// freeing asks the driver for what it no longer does, and Halide's runtime aborts.
class BundleRun {
public:
  BundleRun(const Device &device, const std::string &path);

  const BundleFolder &folder() const { return m_folder; }
  const schedule::CompileReport &report() const { return m_folder.report; }

  // Refuses what this device does not run.
  void load(std::uint64_t seed);
  LaunchHooks &hooks() { return m_hooks; }
  LoadedBundle &bundle() { return *m_bundle; } // after load()

  // Launches, and does not wait for it; fails with what the driver said.
  void once();
  // Fails with what made the runtime return this code.
  [[noreturn]] void failAfter(int code);

private:
  const Device &m_device;
  BundleFolder m_folder;
  LaunchHooks m_hooks; // before the bundle, whose end still calls them
  std::optional<LoadedBundle> m_bundle;
};

// Refuses a bundle for another API, or for a newer capability.
void checkTarget(const Device &device, const BundleFolder &folder);

} // namespace tessera::bench
