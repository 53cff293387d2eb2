// SPDX-License-Identifier: MIT
#include "engine/open/halide_workers.h"

#include "engine/open/scratch_paths.h"
#include "engine/record/process_lines.h"

#include <filesystem>
#include <utility>

namespace tessera::open {

HalideWorkers::HalideWorkers(const host::ToolPaths &tools, std::size_t count,
                             std::size_t addressSpaceBytes) {
  m_options.program = tools.halideWorker;
  m_options.listener = record::processLines(tools.record, "tessera-halide");
  m_options.limits.addressSpaceBytes = addressSpaceBytes;
  // PoCL keeps the code that it compiles, and finds no device where it cannot. Its own place is in
  // the home folder, which is not to be used if our cache is not there.
  if (tools.temporary)
    m_options.environment.emplace_back("POCL_CACHE_DIR", tools.cacheDir + "/pocl");
  for (std::size_t i = 0; i < count; ++i) {
    m_workers.push_back(std::make_unique<job::WorkerClient>(m_options));
    m_free.push_back(m_workers.back().get());
  }
}

job::Reply HalideWorkers::request(const std::string &type, const nlohmann::json &fields,
                                  std::chrono::milliseconds timeout, std::stop_token stop,
                                  const job::ProgressCallback &progress) {
  job::WorkerClient *worker = take(stop);
  if (!worker) return {Outcome::Cancelled, {}, {ErrorCode::Cancelled, "Cancelled.", ""}};
  job::Reply reply = worker->request(type, fields, timeout, stop, progress);
  reply.error = withoutScratchFolders(std::move(reply.error), fields);
  {
    const std::lock_guard lock(m_mutex);
    // After a fault in a kernel the driver stays unusable in that process, so a new worker replaces
    // it.
    const bool isFault =
        reply.outcome == Outcome::LaunchError || reply.outcome == Outcome::DeviceMemory;
    m_free.push_back(isFault ? renewed(worker) : worker);
  }
  m_returned.notify_one();
  return reply;
}

job::WorkerClient *HalideWorkers::renewed(job::WorkerClient *worker) {
  for (std::unique_ptr<job::WorkerClient> &one : m_workers)
    if (one.get() == worker) {
      one = std::make_unique<job::WorkerClient>(m_options);
      return one.get();
    }
  return worker;
}

job::WorkerClient *HalideWorkers::take(const std::stop_token &stop) {
  std::unique_lock lock(m_mutex);
  if (!m_returned.wait(lock, stop, [&] { return !m_free.empty(); })) return nullptr;
  job::WorkerClient *worker = m_free.back();
  m_free.pop_back();
  return worker;
}

job::Reply sandboxedRequest(const host::ToolPaths &tools, host::SandboxFolders folders,
                            const std::string &type, const nlohmann::json &fields,
                            std::chrono::milliseconds timeout, std::stop_token stop,
                            const job::ProgressCallback &progress) {
  job::ProcessOptions options;
  options.program = tools.halideWorker;
  options.listener = record::processLines(tools.record, "tessera-halide");
  // PoCL finds no device where it cannot write.
  options.environment.emplace_back("POCL_CACHE_DIR", folders.writable + "/pocl");
  folders.hasGpu = true;
  std::error_code missing;
  for (const std::string &folder :
       {std::filesystem::path(tools.halideWorker).parent_path().string(), tools.halideRoot})
    if (std::filesystem::is_directory(folder, missing)) folders.readable.push_back(folder);
  const auto inside = host::sandboxed(std::move(options), tools.sandbox, folders);
  if (!inside) return {Outcome::CompileError, {}, inside.error()};
  job::WorkerClient worker(*inside);
  job::Reply reply = worker.request(type, fields, timeout, std::move(stop), progress);
  reply.error = withoutScratchFolders(std::move(reply.error), fields);
  return reply;
}

nlohmann::json estimateFields(const std::vector<EstimateOverride> &estimates) {
  auto list = nlohmann::json::array();
  for (const EstimateOverride &estimate : estimates) {
    nlohmann::json entry{{"name", estimate.name}};
    if (estimate.dims.empty()) {
      entry["value"] = estimate.scalar;
    } else {
      entry["dims"] = nlohmann::json::array();
      for (const pipeline::Interval &dim : estimate.dims)
        entry["dims"].push_back({{"min", dim.min}, {"extent", dim.extent()}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

} // namespace tessera::open
