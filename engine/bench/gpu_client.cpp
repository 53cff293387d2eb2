// SPDX-License-Identifier: MIT
#include "engine/bench/gpu_client.h"

#include "engine/bench/json_reader.h"

namespace tessera::bench {

using job::Reply;
using nlohmann::json;

namespace {

// Copies the reply's outcome. On success, `read` makes the value from the reply's body.
template <typename Value, typename Read>
GpuAnswer<Value> answerOf(Reply reply, const Read &read) {
  GpuAnswer<Value> answer{reply.outcome, {}, std::move(reply.error)};
  if (reply.outcome != Outcome::Ok) return answer;
  Result<Value> value = read(reply.body);
  if (value)
    answer.value = std::move(*value);
  else
    answer = {Outcome::ProtocolError, {}, value.error()};
  return answer;
}

Result<std::vector<LoadedKernel>> kernelsFrom(const json &body) {
  return readOr(ErrorCode::WorkerFailed, "", [&] {
    ObjectReader reader(body, "the loaded bundle");
    return reader.list<LoadedKernel>("kernels", [](const json &value) {
      ObjectReader kernel(value, "a kernel");
      return LoadedKernel{kernel.word("name"), kernel.number<int>("registers"),
                          kernel.number<std::int64_t>("local_bytes"),
                          kernel.number<std::int64_t>("shared_bytes"),
                          kernel.number<int>("threads_per_block")};
    });
  });
}

} // namespace

GpuClient::GpuClient(job::ProcessOptions worker) : m_worker(std::move(worker)) {}

GpuClient::~GpuClient() = default;

void GpuClient::recycle() { m_client.reset(); }

Reply GpuClient::request(const std::string &type, json fields, std::chrono::milliseconds timeout,
                         std::stop_token stop, const job::ProgressCallback &progress) {
  if (!m_client) {
    m_client = std::make_unique<job::WorkerClient>(m_worker);
    ++m_starts;
  }
  Reply reply = m_client->request(type, std::move(fields), timeout, std::move(stop), progress);
  if (reply.outcome != Outcome::Ok) recycle();
  // WorkerClient reports every missed deadline as CompileTimeout. Here it was the deadline of a
  // run.
  if (reply.outcome == Outcome::CompileTimeout) {
    reply.outcome = Outcome::RunTimeout;
    reply.error.hint = "The worker was stopped. A kernel of the schedule may never end; --timeout "
                       "gives a slow kernel more time.";
  }
  return reply;
}

GpuAnswer<DeviceDescription> GpuClient::describe(std::chrono::milliseconds timeout,
                                                 std::stop_token stop) {
  return answerOf<DeviceDescription>(request("describe", json::object(), timeout, std::move(stop)),
                                     deviceDescriptionFromJson);
}

GpuAnswer<std::vector<LoadedKernel>> GpuClient::load(const std::string &bundle,
                                                     std::chrono::milliseconds timeout,
                                                     std::stop_token stop) {
  return answerOf<std::vector<LoadedKernel>>(
      request("load", {{"bundle", bundle}}, timeout, std::move(stop)), kernelsFrom);
}

GpuAnswer<Measurement> GpuClient::measure(const MeasureOptions &options,
                                          std::chrono::milliseconds timeout, std::stop_token stop,
                                          const job::ProgressCallback &progress) {
  const Reply reply = request("measure", toJson(options), timeout, std::move(stop), progress);
  auto answer = answerOf<Measurement>(reply, [](const json &body) -> Result<Measurement> {
    if (!body.is_object() || !body.contains("measurement"))
      return Error{ErrorCode::WorkerFailed, "the worker sent no measurement", ""};
    return measurementFromJson(body["measurement"]);
  });
  if (answer.outcome == Outcome::Ok && reply.body.value("tainted", true)) recycle();
  return answer;
}

GpuAnswer<std::vector<Measurement>> GpuClient::interleave(const InterleaveOptions &options,
                                                          std::chrono::milliseconds timeout,
                                                          std::stop_token stop,
                                                          const job::ProgressCallback &progress) {
  using Measurements = std::vector<Measurement>;
  const std::size_t wanted = options.bundles.size();
  const Reply reply = request("interleave", toJson(options), timeout, std::move(stop), progress);
  return answerOf<Measurements>(reply, [&](const json &body) -> Result<Measurements> {
    const auto list = body.find("measurements");
    if (!body.is_object() || list == body.end() || !list->is_array() || list->size() != wanted)
      return Error{ErrorCode::WorkerFailed, "the worker did not send a measurement for each bundle",
                   ""};
    Measurements all;
    for (const json &document : *list) {
      auto one = measurementFromJson(document);
      if (!one) return one.error();
      all.push_back(std::move(*one));
    }
    return all;
  });
}

GpuAnswer<MeasuredCeilings> GpuClient::ceilings(std::chrono::milliseconds timeout,
                                                std::stop_token stop,
                                                const job::ProgressCallback &progress) {
  return answerOf<MeasuredCeilings>(
      request("ceilings", json::object(), timeout, std::move(stop), progress), ceilingsFromJson);
}

GpuAnswer<CounterReport> GpuClient::count(const CountOptions &options,
                                          std::chrono::milliseconds timeout, std::stop_token stop,
                                          const job::ProgressCallback &progress) {
  auto answer = answerOf<CounterReport>(
      request("count", toJson(options), timeout, std::move(stop), progress), counterReportFromJson);
  recycle();
  return answer;
}

GpuAnswer<Done> GpuClient::reference(const ReferenceOptions &options,
                                     std::chrono::milliseconds timeout, std::stop_token stop) {
  return answerOf<Done>(request("reference", toJson(options), timeout, std::move(stop)),
                        [](const json &) -> Result<Done> { return Done{}; });
}

} // namespace tessera::bench
