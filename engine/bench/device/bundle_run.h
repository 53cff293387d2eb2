// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/launch_hooks.h"
#include "engine/bench/device/loaded_bundle.h"
#include "engine/bench/device/workbench.h"
#include "engine/bench/measurement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

// One bundle in this process, ready to be run, compared and timed. Several may be loaded at once;
// they take turns. On a device in an error it must not be destroyed: freeing asks the driver for
// what it no longer does, and Halide's runtime aborts.
class BundleRun {
public:
  BundleRun(const Workbench &bench, const std::string &bundle);
  ~BundleRun();
  BundleRun(const BundleRun &) = delete;
  BundleRun &operator=(const BundleRun &) = delete;

  // Before it is loaded: ptxas's code instead of the driver's, where the bundle has some for this
  // device.
  void useAssembled();
  // Refuses what this device does not run. `reference`: a folder; empty: nothing is compared.
  void load(const PipelineInputs &inputs, const std::string &reference = {});

  // Launches, and does not wait for it; fails with what the driver said.
  void once();
  // The same, its launches put on a stream that is being captured. Says why that cannot be, which
  // is no failure of the run.
  std::optional<std::string> onceInto(CUstream stream);
  double batchSeconds(int runs); // of a run, of so many, waited for
  // How many take about so long, when one takes `once`.
  static int runsFor(double seconds, double once);

  void overwriteOutputs(); // with what no pipeline computes
  void fetchOutputs();
  // Fails where the outputs are wrong; nothing without a reference.
  std::optional<report::VerifyReport> compareOutputs(const char *when);

  // What is known of it before any time is: who, where, with what.
  Measurement described(const std::string &program) const;
  // Registers and local memory of the kernels that were loaded, in the bundle's order.
  std::vector<KernelTime> kernels() const;
  std::vector<OutputHash> hashes();

  const BundleFolder &folder() const { return m_folder; }
  const report::CompileReport &report() const { return m_folder.report; }
  LaunchHooks &hooks() { return m_hooks; }
  LoadedBundle &bundle() { return *m_bundle; }
  bool hasReference() const { return m_reference != nullptr; }

private:
  [[noreturn]] void failAfter(int code);

  const Device &m_device;
  KeptData &m_kept;
  BundleFolder m_folder;
  LaunchHooks m_hooks; // before the bundle, whose end still calls them
  std::optional<LoadedBundle> m_bundle;
  std::shared_ptr<Reference> m_reference;
};

// Fails where the bundle is for something else than this device.
void checkTarget(const Device &device, const BundleFolder &folder);

} // namespace tessera::bench
