// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/bench/device/bundle_run.h"
#include "engine/bench/device/device.h"

#include <memory>
#include <string>

namespace tessera::bench {

// The kernels of a bundle's run as one CUDA graph, launched with one call: what a run takes when
// the host's launches cost next to nothing. The addresses in it are those of the captured run, so
// no other run may come between capturing and the last replay.
class GraphReplay {
public:
  // The error says why this run cannot be captured; the device is none the worse for it. A run that
  // allocates, waits or copies to the host cannot: a graph holds nothing but what a stream does.
  static Result<std::unique_ptr<GraphReplay>> capture(BundleRun &run, const Device &device);
  ~GraphReplay();
  GraphReplay(const GraphReplay &) = delete;
  GraphReplay &operator=(const GraphReplay &) = delete;

  double batchSeconds(int replays) const; // of a replay, of so many, waited for

private:
  explicit GraphReplay(const Device &device) : m_device(device) {}
  Status record(BundleRun &run);

  const Device &m_device;
  CUstream m_stream = nullptr;
  CUgraph m_graph = nullptr;
  CUgraphExec m_executable = nullptr;
};

} // namespace tessera::bench
