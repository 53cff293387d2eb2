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

// One bundle in this process, ready to be run, compared and timed. Several bundles may be loaded at
// once and run alternately. A BundleRun must not be destroyed after a device error: freeing memory
// calls the driver, which then fails, and Halide's runtime aborts.
class BundleRun {
public:
  BundleRun(const Workbench &bench, const std::string &bundle);
  ~BundleRun();
  BundleRun(const BundleRun &) = delete;
  BundleRun &operator=(const BundleRun &) = delete;

  // Uses ptxas's machine code instead of the driver's, if the bundle has some for this device. Must
  // be called before load().
  void useAssembled();
  // Fails if the bundle cannot run on this device. `reference` is a folder; if it is empty, nothing
  // is compared.
  void load(PipelineInputs inputs, const std::string &reference = {},
            const report::GivenTolerance &given = {});

  // Launches one run without waiting for it. Fails with the driver's error.
  void once();
  // Like once(), but the launches go to a stream that is being captured. Returns the reason if that
  // is not possible, which does not count as a failure of the run.
  std::optional<std::string> onceInto(CUstream stream);
  double batchSeconds(int runs); // mean seconds per run, with one wait after the last
  // How many runs take about `seconds` if one run takes `once` seconds.
  static int runsFor(double seconds, double once);

  // Fills the outputs with a fixed byte, so that elements that a run does not write are noticed.
  void overwriteOutputs();
  void fetchOutputs();
  // Fails if the outputs are wrong; `when` begins the error's text. Returns nullopt if there is no
  // reference. The verdict of the report may be "undecided".
  std::optional<report::VerifyReport> compareOutputs(const char *when);

  // A measurement with what is known before anything is timed: machine, program, bundle.
  Measurement described(const std::string &program) const;
  // Registers and local memory of the loaded kernels, in the order of the bundle.
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
  LaunchHooks m_hooks; // declared before m_bundle, whose destructor still calls the hooks
  std::optional<LoadedBundle> m_bundle;
  std::shared_ptr<Reference> m_reference;
  report::GivenTolerance m_given; // what the user allows
};

// Fails if the bundle is not for CUDA, or needs a newer compute capability than the device's.
void checkTarget(const Device &device, const BundleFolder &folder);

} // namespace tessera::bench
