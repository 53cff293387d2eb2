// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/measure_service.h"

#include "engine/bench/program_version.h"
#include "engine/session/gpu_host.h"

#include <memory>
#include <utility>

namespace tessera::views {

MeasureService measureService(const session::ToolPaths &tools) {
  MeasureService service;
  auto worker = session::gpuWorkerProcess(tools, {});
  if (!worker) return service;
  auto measurer = std::make_shared<session::Measurer>(tools, std::move(*worker));
  service.gpu = [measurer](const std::stop_token &stop) -> Result<std::string> {
    const auto device = measurer->describe(stop);
    if (device.outcome != Outcome::Ok)
      return Error{errorCode(device.outcome), device.error.message, device.error.hint};
    return device.value.name;
  };
  service.measure = [measurer](const MeasureWish &wish, const std::stop_token &stop,
                               const job::ProgressCallback &progress) {
    return measurer->measure({wish.file, wish.schedule, wish.contentSha256, {}}, stop, progress);
  };
  service.verify = [compiler = std::make_shared<session::ScheduleCompiler>(tools, 1)](
                       const MeasureWish &wish, const std::stop_token &stop,
                       const job::ProgressCallback &progress) {
    session::VerifyRequest request;
    request.pipeline = session::scheduledPipeline(wish.file, wish.schedule);
    return session::verifyHere(*compiler, std::move(request), stop, progress);
  };
  service.program = bench::programVersion();
  return service;
}

} // namespace tessera::views
