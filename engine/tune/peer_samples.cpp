// SPDX-License-Identifier: MIT
#include "engine/tune/peer_samples.h"

#include "engine/host/files.h"
#include "engine/measure/compile.h"
#include "engine/open/halide_workers.h"
#include "engine/record/process_lines.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;

// An autoscheduler's search normally needs a fraction of this address space. The limit ends a
// runaway search before the machine runs out of memory.
constexpr std::size_t kMostMemory = std::size_t{12} << 30;
// Below this much memory for a process, fewer run at a time.
constexpr std::size_t kLeastMemory = std::size_t{6} << 30;

std::size_t memoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return kMostMemory;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(size);
}

std::string weightsFor(const PeerRequest &request) {
  if (request.sampling.weights.empty() || request.peer.name != "Anderson2021") return {};
  std::string file = request.sampling.weights + "/" + request.opened.pipeline->name() + ".weights";
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? file : std::string();
}

class Sampler {
public:
  Sampler(const PeerRequest &request, const host::ToolPaths &tools, const std::stop_token &stop,
          const job::ProgressCallback &progress)
      : m_request(request), m_stop(stop), m_progress(progress),
        m_folder(request.peer.samples == 1 ? request.folder
                                           : request.folder + "/" + request.peer.word + ".samples"),
        m_made(request.peer.samples) {
    const std::size_t wanted =
        std::min(request.peer.samples, request.sampling.jobs > 0
                                           ? request.sampling.jobs
                                           : std::max(1U, std::thread::hardware_concurrency()));
    // A quarter of the memory is left to everybody else.
    const std::size_t memory = memoryOfMachine() / 4 * 3;
    m_jobs = std::clamp<std::size_t>(memory / kLeastMemory, 1, wanted);
    m_given.memoryLimit = std::min(kMostMemory, std::max(memory / m_jobs, kLeastMemory));
    m_given.weights = weightsFor(request);
    m_process.program = tools.halideWorker;
    m_process.limits.addressSpaceBytes = m_given.memoryLimit;
    m_process.listener = record::processLines(tools.record, "tessera-halide");
    // With this, the plugin says what its schedule costs.
    if (request.peer.samples > 1) m_process.environment.emplace_back("HL_DEBUG_AUTOSCHEDULE", "1");
  }

  PeerSamples run() {
    for (std::size_t s = 0; s < m_made.size(); ++s)
      m_made[s].index = s;
    const Status made = host::makeFolder(m_folder);
    if (!made) {
      m_given.fault = made.error();
      for (PeerSample &sample : m_made)
        sample = {sample.index, Outcome::Crashed, made.error()};
    } else {
      const auto start = Clock::now();
      m_deadline = start + m_request.timeout;
      {
        std::vector<std::jthread> threads;
        for (std::size_t job = 1; job < m_jobs; ++job)
          threads.emplace_back([this] { work({}); });
        work(m_progress);
      }
      m_given.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (m_made.size() == 1) m_given.seconds = m_made.front().seconds;
    }
    std::ranges::stable_sort(m_made, {}, [](const PeerSample &sample) {
      return std::tuple(!sample.made(), sample.cost);
    });
    m_given.samples = std::move(m_made);
    return std::move(m_given);
  }

private:
  // Takes one sample after another. Progress is told by the thread of the caller only.
  void work(const job::ProgressCallback &progress) {
    job::WorkerClient worker(m_process);
    worker.warmUp(); // loading Halide does not count as the peer's time
    while (true) {
      const std::size_t s = m_next.fetch_add(1);
      if (s >= m_made.size()) return;
      make(m_made[s], worker, progress);
    }
  }

  void make(PeerSample &sample, job::WorkerClient &worker, const job::ProgressCallback &progress) {
    const auto start = Clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_deadline - start);
    if (left.count() <= 0) {
      sample.outcome = Outcome::CompileTimeout;
      sample.error = {ErrorCode::WorkerFailed, "the time was over before it began", ""};
      return;
    }
    if (m_stop.stop_requested()) return;
    const std::string file =
        m_folder + "/" + (m_made.size() == 1 ? m_request.peer.word : std::to_string(sample.index)) +
        ".hlpipe";
    const job::Reply reply =
        worker.request("peer", fieldsOf(sample.index, file), left, m_stop, numbered(progress));
    sample.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    sample.outcome = reply.outcome;
    sample.error = reply.error;
    if (!sample.made()) return;
    sample.file = file;
    sample.seconds = reply.body.value("seconds", sample.seconds);
    sample.cost = reply.body.value("cost", PeerSample::kUnknown);
  }

  job::ProgressCallback numbered(const job::ProgressCallback &progress) const {
    if (!progress || m_made.size() == 1) return progress;
    return [this, &progress](const job::Progress &step) {
      const std::size_t begun = std::min(m_next.load(), m_made.size());
      progress({step.phase + ", " + std::to_string(begun) + " of " + std::to_string(m_made.size()) +
                    " samples",
                static_cast<double>(begun) / static_cast<double>(m_made.size()),
                {}});
    };
  }

  nlohmann::json fieldsOf(std::size_t sample, const std::string &output) const {
    const Peer &peer = m_request.peer;
    const open::PipelineFiles &file = m_request.opened.file;
    const machine::Machine &machine = m_request.machine;
    nlohmann::json fields{{"path", file.pipeline},
                          {"name", m_request.opened.pipeline->name()},
                          {"estimates", open::estimateFields(file.estimates)},
                          {"library", peer.library},
                          {"autoscheduler", peer.name},
                          {"target", peer.forHost ? "host" : "cuda"},
                          {"capability", measure::compiledCapability(machine.major, machine.minor)},
                          {"output", output},
                          {"parameters", nlohmann::json::object()}};
    if (!file.sidecar.empty()) fields["sidecar"] = file.sidecar;
    for (const auto &[key, value] : parametersOf(peer, sample))
      fields["parameters"][key] = value;
    if (!m_given.weights.empty()) fields["parameters"]["weights_path"] = m_given.weights;
    return fields;
  }

  const PeerRequest &m_request;
  const std::stop_token &m_stop;
  const job::ProgressCallback &m_progress;
  std::string m_folder;
  job::ProcessOptions m_process;
  std::size_t m_jobs = 1;
  Clock::time_point m_deadline;
  std::atomic<std::size_t> m_next = 0;
  std::vector<PeerSample> m_made; // each is written by one thread
  PeerSamples m_given;
};

} // namespace

std::size_t PeerSamples::made() const {
  return static_cast<std::size_t>(std::ranges::count_if(samples, &PeerSample::made));
}

std::vector<PeerSample> PeerSamples::different() const {
  std::vector<PeerSample> found;
  for (const PeerSample &sample : samples)
    if (sample.made() && (found.empty() || sample.cost != found.back().cost))
      found.push_back(sample);
  return found;
}

PeerSamples makeSamples(const PeerRequest &request, const host::ToolPaths &tools,
                        const std::stop_token &stop, const job::ProgressCallback &progress) {
  return Sampler(request, tools, stop, progress).run();
}

} // namespace tessera::tune
