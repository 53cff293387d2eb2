// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/bundle_run.h"
#include "engine/bench/device/device.h"
#include "engine/base/result.h"

#include <memory>
#include <string>

namespace tessera::bench {

// The kernels of one run of a bundle as a CUDA graph, which is launched with one call. Its time is
// that of a run whose launches cost the host next to nothing. The graph contains the addresses of
// the captured run, so no other run may happen between the capture and the last replay.
class GraphReplay {
public:
  // The error says why this run cannot be captured; the device is unaffected. A run that allocates,
  // waits or copies to the host cannot be captured, because a graph holds only stream operations.
  static Result<std::unique_ptr<GraphReplay>> capture(BundleRun &run, const Device &device);
  ~GraphReplay();
  GraphReplay(const GraphReplay &) = delete;
  GraphReplay &operator=(const GraphReplay &) = delete;

  double batchSeconds(int replays) const; // mean seconds per replay, with one wait after the last

private:
  explicit GraphReplay(const Device &device) : m_device(device) {}
  Status record(BundleRun &run);

  const Device &m_device;
  CUstream m_stream = nullptr;
  CUgraph m_graph = nullptr;
  CUgraphExec m_executable = nullptr;
};

} // namespace tessera::bench
