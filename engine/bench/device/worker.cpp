// SPDX-License-Identifier: MIT
#include "engine/bench/device/worker.h"

#include "engine/bench/device/bundle_store.h"
#include "engine/bench/device/count_kernels.h"
#include "engine/bench/device/interleave.h"
#include "engine/bench/device/kernel_trace.h"
#include "engine/bench/device/measure_ceilings.h"
#include "engine/bench/device/reference_making.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace tessera::bench {

namespace {

using job::Reply;
using job::WorkerRequest;
using nlohmann::json;

Reply answer(json body) { return {Outcome::Ok, std::move(body), {}}; }

// Turns a Failure that a handler throws into a reply. serveWorker() handles other exceptions.
template <typename Handler>
job::WorkerHandler contained(Handler handler) {
  return [handler](const WorkerRequest &request) -> Reply {
    try {
      return handler(request);
    } catch (const Failure &failure) {
      return {failure.outcome, nullptr, failure.error};
    }
  };
}

json toJson(const LoadFacts &facts) {
  json kernels = json::array();
  for (const KernelFacts &kernel : facts.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"registers", kernel.registers},
                       {"local_bytes", kernel.localBytes},
                       {"shared_bytes", kernel.sharedBytes},
                       {"threads_per_block", kernel.threadsPerBlock}});
  return {{"seconds", facts.seconds}, {"kernels", std::move(kernels)}};
}

// Owns the worker's only device. It is opened by the first request that needs it, since a worker
// that only makes references needs none.
class Worker {
public:
  explicit Worker(WorkerSettings settings)
      : m_settings(std::move(settings)), m_store(m_settings.store) {}

  Reply describe(const WorkerRequest &) {
    DeviceDescription description = device().describe();
    if (const auto trace = KernelTrace::open(m_settings.profilers))
      description.profiler = (*trace)->version();
    else
      description.absent.push_back("times of single kernels from CUPTI: " + trace.error().message);
    return answer(json(bench::toJson(description)));
  }

  Reply load(const WorkerRequest &request) {
    const auto bundle = request.fields.find("bundle");
    if (bundle == request.fields.end() || !bundle->is_string())
      refuse("A request to load must name a bundle.");
    return answer(toJson(loadKernels(device(), *bundle)));
  }

  Reply measure(const WorkerRequest &request) {
    const MeasureOptions options = valueOrRefuse(measureOptionsFromJson(request.fields));
    return onDevice([&](const Device &here) -> json {
      const Measured measured = measureBundle(bench(here, request), options);
      return {{"measurement", json(bench::toJson(measured.measurement))},
              {"tainted", measured.isTainted}};
    });
  }

  Reply interleave(const WorkerRequest &request) {
    const InterleaveOptions options = valueOrRefuse(interleaveOptionsFromJson(request.fields));
    return onDevice([&](const Device &here) -> json {
      json measurements = json::array();
      for (const Measurement &one : measureInTurns(bench(here, request), options))
        measurements.push_back(json(bench::toJson(one)));
      return {{"measurements", std::move(measurements)}};
    });
  }

  Reply ceilings(const WorkerRequest &request) {
    return onDevice([&](const Device &here) -> json {
      return bench::toJson(measureCeilings(here, m_settings.program, request.progress));
    });
  }

  Reply count(const WorkerRequest &request) {
    const CountOptions options = valueOrRefuse(countOptionsFromJson(request.fields));
    return onDevice([&](const Device &here) -> json {
      return bench::toJson(countKernels(bench(here, request), options));
    });
  }

  Reply reference(const WorkerRequest &request) {
    makeReference(valueOrRefuse(referenceOptionsFromJson(request.fields)));
    return answer(json::object());
  }

  Reply keep(const WorkerRequest &request) { return m_store.keep(request); }
  Reply put(const WorkerRequest &request) { return m_store.put(request); }

private:
  Workbench bench(const Device &here, const WorkerRequest &request) {
    return {here, m_kept, m_settings, request.progress};
  }

  // Marks the device as spent, unless the work ends well or with a failure that leaves the device
  // usable.
  template <typename Work>
  Reply onDevice(const Work &work) {
    const Device &here = device();
    m_isSpent = true;
    try {
      Reply reply = answer(work(here));
      m_isSpent = false;
      return reply;
    } catch (const Failure &failure) {
      m_isSpent = isFatal(failure.outcome);
      throw;
    }
  }

  const Device &device() {
    if (m_isSpent)
      fail(Outcome::DeviceLost,
           "The GPU is in an error state for this worker: start another worker.");
    if (!m_device) m_device = std::make_unique<Device>();
    return *m_device;
  }

  WorkerSettings m_settings;
  BundleStore m_store;
  KeptData m_kept;
  std::unique_ptr<Device> m_device;
  bool m_isSpent = false;
};

} // namespace

job::WorkerHandlers workerHandlers(const WorkerSettings &settings) {
  const auto worker = std::make_shared<Worker>(settings);
  job::WorkerHandlers handlers;
  const auto add = [&](const char *type, Reply (Worker::*handle)(const WorkerRequest &)) {
    handlers.byType.emplace_back(type, contained([worker, handle](const WorkerRequest &request) {
                                   return (worker.get()->*handle)(request);
                                 }));
  };
  add("describe", &Worker::describe);
  add("load", &Worker::load);
  add("measure", &Worker::measure);
  add("interleave", &Worker::interleave);
  add("ceilings", &Worker::ceilings);
  add("count", &Worker::count);
  add("reference", &Worker::reference);
  add("keep", &Worker::keep);
  add("put", &Worker::put);
  return handlers;
}

} // namespace tessera::bench
