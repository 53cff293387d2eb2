// SPDX-License-Identifier: MIT
// A worker for Halide beside a GPU whose driver miscompiles with optimisation on. The outputs of
// any file are then wrong. The file "crash" ends the worker, "launch" cannot be launched, "memory"
// does not fit beside others, and "broken" is wrong at every optimisation level.
#include "engine/job/worker_client.h"
#include "engine/report/verify_report.h"

#include <nlohmann/json.hpp>

#include <csignal>

namespace {

using namespace tessera;

job::Reply verify(const job::WorkerRequest &request) {
  const bool optimizes = request.fields.value("driver_optimizes", true);
  const std::string file = request.fields.value("path", "");
  if (optimizes && file == "crash") std::raise(SIGKILL);
  if (optimizes && (file == "memory" || file == "launch")) {
    job::Reply failed;
    failed.outcome = file == "memory" ? Outcome::DeviceMemory : Outcome::LaunchError;
    failed.error = {ErrorCode::InputRefused, "the schedule does not run", ""};
    return failed;
  }
  const std::int64_t wrong = optimizes || file == "broken" ? 1 : 0;
  report::VerifyReport report;
  report.outputs.push_back({.name = "f", .elements = 8, .different = wrong, .beyond = wrong});
  job::Reply reply;
  reply.outcome = Outcome::Ok;
  reply.body = report::toJson(report);
  return reply;
}

} // namespace

int main() {
  job::WorkerHandlers handlers;
  handlers.byType.emplace_back("verify", verify);
  return job::serveWorker(handlers);
}
