// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/kept_data.h"
#include "engine/bench/device/launch_hooks.h"
#include "engine/bench/device/shared_library.h"
#include "engine/report/compile_report.h"

#include <string>
#include <vector>

namespace tessera::bench {

// The folder of a bundle, read and checked, nothing of it loaded yet.
struct BundleFolder {
  std::string path;
  report::CompileReport report;
  std::vector<report::Promise> promises;
};
BundleFolder readBundle(const std::string &path);

// A bundle in this process with buffers for its arguments, which go back to what is kept when it
// ends. `hooks`: of a bundle for CUDA; null for
// one for the host, or one whose runtime is left alone. Nothing of a bundle may run after an error
// of the device.
class LoadedBundle {
public:
  LoadedBundle(const BundleFolder &folder, const LaunchHooks *hooks, const PipelineInputs &inputs,
               KeptData &kept);
  ~LoadedBundle();
  LoadedBundle(const LoadedBundle &) = delete;
  LoadedBundle &operator=(const LoadedBundle &) = delete;

  // One run of the pipeline: launches, and returns without waiting for them. Halide's code; 0 is
  // success.
  int run() { return m_entry(m_arguments.data()); }

  // The runtime keeps what a run frees for the next one, or gives it all back.
  void keepAllocations(bool keep);

  std::vector<PipelineBuffer> &buffers() { return m_buffers; }
  std::vector<PipelineBuffer *> outputs();
  // Brings what the device has written to the host; Halide's code.
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
