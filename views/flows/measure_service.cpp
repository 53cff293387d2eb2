// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/measure_service.h"

#include "engine/bench/program_version.h"
#include "engine/host/files.h"
#include "engine/measure/inputs.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace tessera::views {

namespace {

// One Measurer for each host, so that its connection stays open.
class Measurers {
public:
  explicit Measurers(host::ToolPaths tools) : m_tools(std::move(tools)) {}

  std::shared_ptr<measure::Measurer> at(const std::string &host) {
    const std::scoped_lock lock(m_mutex);
    auto &measurer = m_all[host];
    if (!measurer) measurer = std::make_shared<measure::Measurer>(m_tools, host);
    return measurer;
  }

private:
  const host::ToolPaths m_tools;
  std::mutex m_mutex;
  std::map<std::string, std::shared_ptr<measure::Measurer>> m_all;
};

} // namespace

MeasureService measureService(const host::ToolPaths &tools) {
  MeasureService service;
  auto measurers = std::make_shared<Measurers>(tools);
  // Looks for the GPU of a remote host through a new connection, because a measurement may be
  // running on the kept one.
  service.gpu = [measurers, tools](const std::string &host, const std::stop_token &stop,
                                   const job::ProgressCallback &progress) -> Result<std::string> {
    const auto device = host.empty() ? measurers->at(host)->describe(stop, progress)
                                     : measure::Measurer(tools, host).describe(stop, progress);
    if (device.outcome == Outcome::Cancelled) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
    if (device.outcome != Outcome::Ok) return errorOf(device.outcome, device.error);
    return device.value.name;
  };
  service.measure = [measurers](const MeasureWish &wish, const std::stop_token &stop,
                                const job::ProgressCallback &progress) {
    measure::MeasureRequest request{wish.file, wish.schedule, wish.contentSha256, {}, wish.counts};
    request.inputs = wish.inputs;
    request.options.seed = static_cast<std::uint64_t>(wish.seed);
    request.options.tolerance = wish.tolerance;
    return measurers->at(wish.host)->measure(request, stop, progress);
  };
  service.verify = [compiler = std::make_shared<measure::ScheduleCompiler>(tools, 1),
                    folder = tools.cacheDir](
                       const MeasureWish &wish, const std::stop_token &stop,
                       const job::ProgressCallback &progress) -> Result<measure::VerifiedHere> {
    const auto scratch = host::ScratchFolder::create(folder);
    if (!scratch) return scratch.error();
    auto files = measure::placedInputs(wish.inputs, scratch->path());
    if (!files) return files.error();
    measure::VerifyRequest request;
    request.pipeline = measure::scheduledPipeline(wish.file, wish.schedule);
    request.seed = wish.seed;
    request.inputs = std::move(*files);
    request.tolerance = wish.tolerance;
    auto outputs = host::ScratchFolder::create(folder);
    if (!outputs) return outputs.error();
    request.outputs = outputs->path();
    auto verified = measure::verifyHere(*compiler, std::move(request), stop, progress);
    verified.outputs = std::make_shared<const host::ScratchFolder>(std::move(*outputs));
    return verified;
  };
  service.program = bench::programVersion();
  return service;
}

} // namespace tessera::views
