// SPDX-License-Identifier: MIT
#include "engine/bench/device/graph_replay.h"

#include <chrono>

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;

Error cannot(std::string why) { return {ErrorCode::WorkerFailed, std::move(why), ""}; }

// An error with the driver's text. It concerns the graph alone: the bundle and the device are still
// usable.
Error cannot(const Driver &cuda, CUresult code, const std::string &call) {
  return cannot(cuda.describe(code, call));
}

} // namespace

Result<std::unique_ptr<GraphReplay>> GraphReplay::capture(BundleRun &run, const Device &device) {
  if (const std::string &missing = device.driver().missingForGraphs(); !missing.empty())
    return cannot("the driver has no " + missing);
  run.hooks().resetAllocations();
  run.once();
  device.synchronize();
  if (const std::int64_t allocations = run.hooks().allocations(); allocations > 0)
    return cannot("a run allocates " + std::to_string(allocations) + " times on the device");
  std::unique_ptr<GraphReplay> replay(new GraphReplay(device));
  if (Status recorded = replay->record(run); !recorded) return recorded.error();
  return replay;
}

GraphReplay::~GraphReplay() {
  const Driver &cuda = m_device.driver();
  if (m_executable) cuda.cuGraphExecDestroy(m_executable);
  if (m_graph) cuda.cuGraphDestroy(m_graph);
  if (m_stream) cuda.cuStreamDestroy(m_stream);
}

// The captured stream synchronises with the default stream. So if the runtime does anything in the
// default stream, the capture fails instead of silently leaving that work out of the graph.
Status GraphReplay::record(BundleRun &run) {
  const Driver &cuda = m_device.driver();
  if (const CUresult code = cuda.cuStreamCreate(&m_stream, CU_STREAM_DEFAULT); code != CUDA_SUCCESS)
    return cannot(cuda, code, "cuStreamCreate");
  if (const CUresult code =
          cuda.cuStreamBeginCapture(m_stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
      code != CUDA_SUCCESS)
    return cannot(cuda, code, "cuStreamBeginCapture");
  const auto refusal = run.onceInto(m_stream);
  const CUresult ended = cuda.cuStreamEndCapture(m_stream, &m_graph);
  if (refusal) return cannot(*refusal);
  if (ended != CUDA_SUCCESS) return cannot(cuda, ended, "cuStreamEndCapture");
  if (const CUresult code = cuda.cuGraphInstantiateWithFlags(&m_executable, m_graph, 0);
      code != CUDA_SUCCESS)
    return cannot(cuda, code, "cuGraphInstantiate");
  return Done{};
}

double GraphReplay::batchSeconds(int replays) const {
  const Driver &cuda = m_device.driver();
  const auto start = Clock::now();
  for (int i = 0; i < replays; ++i)
    cuda.check(cuda.cuGraphLaunch(m_executable, m_stream), "cuGraphLaunch");
  m_device.synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count() / replays;
}

} // namespace tessera::bench
