// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/open.h"
#include "engine/host/sandbox.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::open {

// tessera-halide processes that stay loaded between requests. If all workers are busy, a request
// waits; that does not count against its deadline. Thread-safe.
class HalideWorkers {
public:
  HalideWorkers(const host::ToolPaths &tools, std::size_t count, std::size_t addressSpaceBytes);

  // The error of a reply names no scratch file.
  job::Reply request(const std::string &type, const nlohmann::json &fields,
                     std::chrono::milliseconds timeout, std::stop_token stop,
                     const job::ProgressCallback &progress);

  // Loads one worker before the first request.
  void warmUp() { m_workers.back()->warmUp(); }

private:
  job::WorkerClient *take(const std::stop_token &stop);
  job::WorkerClient *renewed(job::WorkerClient *worker);

  job::ProcessOptions m_options;
  std::mutex m_mutex; // guards both lists
  std::condition_variable_any m_returned;
  std::vector<std::unique_ptr<job::WorkerClient>> m_workers;
  std::vector<job::WorkerClient *> m_free;
};

// One request to a worker of its own in the sandbox, for a request that runs code of the user's.
// `folders` has what the request names; the programs that the worker needs are added.
job::Reply sandboxedRequest(const host::ToolPaths &tools, host::SandboxFolders folders,
                            const std::string &type, const nlohmann::json &fields,
                            std::chrono::milliseconds timeout, std::stop_token stop,
                            const job::ProgressCallback &progress);

// Estimates in the form that the worker reads.
nlohmann::json estimateFields(const std::vector<EstimateOverride> &estimates);

} // namespace tessera::open
