// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/kept_data.h"
#include "engine/bench/device/launch_hooks.h"
#include "engine/bench/device/shared_library.h"
#include "engine/report/compile_report.h"

#include <string>
#include <vector>

namespace tessera::bench {

// The folder of a bundle. Its bundle.json was read and checked, but no code is loaded yet.
struct BundleFolder {
  std::string path;
  report::CompileReport report;
  std::vector<report::Promise> promises;
};
BundleFolder readBundle(const std::string &path);

// A bundle that is loaded in this process, with buffers for its arguments. On destruction the
// buffers go back to KeptData. `hooks` is null for a host bundle, and for a CUDA bundle whose
// runtime shall use the driver directly. After a device error, no code of a bundle may run.
class LoadedBundle {
public:
  LoadedBundle(const BundleFolder &folder, const LaunchHooks *hooks, const PipelineInputs &inputs,
               KeptData &kept);
  ~LoadedBundle();
  LoadedBundle(const LoadedBundle &) = delete;
  LoadedBundle &operator=(const LoadedBundle &) = delete;

  // Launches one run of the pipeline without waiting for it. Returns Halide's error code; 0 is
  // success.
  int run();
  // What the runtime of a host bundle said of the last run; empty if it succeeded. The runtime of a
  // CUDA bundle tells LaunchHooks.
  static const std::string &complaint();

  // Whether the runtime keeps the memory that a run frees, for use by the next run. Otherwise it
  // returns this memory to the driver.
  void keepAllocations(bool keep);

  std::vector<PipelineBuffer> &buffers() { return m_buffers; }
  std::vector<PipelineBuffer *> outputs();
  // Copies to the host what the device has written. Returns Halide's error code.
  int copyToHost(PipelineBuffer &buffer);

private:
  void bindArguments(const BundleFolder &folder, const PipelineInputs &inputs);

  KeptData &m_kept;
  SharedLibrary m_library;
  bool m_isOnDevice;
  int (*m_entry)(void **) = nullptr;
  int (*m_keepAllocations)(void *, bool) = nullptr;
  std::vector<PipelineBuffer> m_buffers;
  std::vector<std::uint64_t> m_scalars;
  std::vector<void *> m_arguments;
};

} // namespace tessera::bench
