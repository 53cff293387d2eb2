// SPDX-License-Identifier: MIT
#include "engine/tune/compare.h"

#include "engine/cost/roofline/floor.h"
#include "engine/measure/bench.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace tessera::tune {

namespace {

constexpr const char *kReference = "/reference";
constexpr int kMostLost = 3;

// An error if the system failed, as a full disk does: then the contender is not at fault.
Status compileContender(FoundContender &found, const PrepareRequest &request,
                        measure::ScheduleCompiler &compiler, const std::stop_token &stop,
                        const job::ProgressCallback &progress) {
  Contender &contender = found.contender;
  const measure::CompileAnswer compiled = compiler.compile(
      measure::bundleRequest(*found.pipeline, contender.registerCap, request.target,
                             request.folder + "/" + contender.name),
      stop, progress);
  if (compiled.outcome != Outcome::Ok) {
    contender.why = std::string(name(compiled.outcome)) + ": " + compiled.error.message;
    return compiled.error.code == ErrorCode::System ? Status(compiled.error) : Status(Done{});
  }
  contender.state = ContenderState::Ready;
  contender.kernels = compiled.report.kernels.size();
  return Done{};
}

// Computes the reference with which the outputs of all contenders are compared.
Status makeCommonReference(const PrepareRequest &request, measure::ScheduleCompiler &compiler,
                           bench::GpuClient &host, const std::stop_token &stop) {
  const open::OpenedPipeline &opened = request.sources.opened;
  measure::BenchBundleRequest reference;
  reference.seed = request.seed;
  reference.inputs = request.inputs;
  reference.compile.pipeline.file = opened.file.pipeline;
  reference.compile.pipeline.sidecar = opened.file.sidecar;
  reference.compile.pipeline.name = opened.pipeline->name();
  reference.compile.pipeline.estimates = opened.file.estimates;
  return measure::makeReference(compiler, host, reference, request.folder + kReference, stop);
}

class Measuring {
public:
  Measuring(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
            const std::stop_token &stop, const job::ProgressCallback &progress)
      : m_comparison(comparison), m_request(request), m_bench(gpu, request.where), m_stop(stop),
        m_progress(progress) {}

  Status run() {
    if (const Status placed = place(); !placed) return placed;
    while (!m_left.empty()) {
      m_turn.reset();
      const auto answer = measureLeft();
      if (answer.outcome == Outcome::Ok) {
        take(answer.value);
        break;
      }
      // After a lost connection, all contenders that are left are measured again.
      if (answer.outcome == Outcome::ConnectionLost && ++m_lostConnections < kMostLost) continue;
      // No contender is to blame if the failure came before any contender ran, if the request was
      // cancelled or if the connection was lost.
      if (!m_turn || *m_turn >= m_left.size() || answer.outcome == Outcome::Cancelled ||
          answer.outcome == Outcome::ConnectionLost)
        return errorOf(answer.outcome, answer.error);
      leaveOut(*m_turn, answer.outcome, answer.error);
    }
    return writeComparison(m_comparison, m_request.folder);
  }

private:
  // Sends the bundles and the reference to the worker.
  Status place() {
    const std::string folder = std::filesystem::absolute(m_request.folder).lexically_normal();
    auto shared = m_bench.placeShared(folder + kReference, m_stop, m_progress);
    if (shared.outcome != Outcome::Ok) return shared.error;
    m_shared = std::move(shared.value);
    for (Contender &contender : m_comparison.contenders) {
      if (!contender.hasBundle()) continue;
      auto placed = m_bench.place(folder + "/" + contender.name, {}, m_stop, m_progress);
      if (placed.outcome != Outcome::Ok) return placed.error;
      m_left.push_back(&contender);
      m_placed.push_back(std::move(placed.value));
    }
    return Done{};
  }

  bench::GpuAnswer<std::vector<bench::Measurement>> measureLeft() {
    bench::InterleaveOptions options;
    options.seed = m_comparison.seed;
    options.rounds = m_request.rounds;
    options.tolerance = m_request.tolerance;
    return m_bench.measureInTurns(options, m_placed, m_shared, m_request.timeout, m_stop,
                                  [&](const job::Progress &at) { follow(at); });
  }

  void follow(const job::Progress &at) {
    if (at.item) m_turn = at.item;
    if (!m_progress) return;
    const bool isKnown = at.item && *at.item < m_left.size();
    m_progress(isKnown ? job::Progress{m_left[*at.item]->name + ": " + at.phase, at.fraction} : at);
  }

  void take(const std::vector<bench::Measurement> &measurements) {
    for (std::size_t i = 0; i < m_left.size(); ++i) {
      m_left[i]->state = ContenderState::Measured;
      m_left[i]->measurement = measurements[i];
      if (const auto &compared = measurements[i].comparison; compared && !compared->equal())
        m_left[i]->why = "undecided: " + compared->whyUndecided();
    }
  }

  void leaveOut(std::size_t turn, Outcome outcome, const Error &error) {
    Contender &contender = *m_left[turn];
    const bool isWrong = outcome == Outcome::WrongOutput;
    contender.state = isWrong ? ContenderState::WrongOutput : ContenderState::NotMeasured;
    contender.why = std::string(name(outcome)) + ": " + error.message;
    contender.measurement.reset();
    m_left.erase(m_left.begin() + static_cast<std::ptrdiff_t>(turn));
    m_placed.erase(m_placed.begin() + static_cast<std::ptrdiff_t>(turn));
  }

  Comparison &m_comparison;
  const TurnsRequest &m_request;
  measure::GpuBench m_bench;
  const std::stop_token &m_stop;
  const job::ProgressCallback &m_progress;
  measure::BenchFolders m_shared;              // the reference and the user's inputs
  std::vector<Contender *> m_left;             // contenders that are still to be measured
  std::vector<measure::BenchFolders> m_placed; // the bundles of m_left, in the same order
  std::optional<std::size_t> m_turn;
  int m_lostConnections = 0;
};

} // namespace

Result<Comparison> prepareComparison(const PrepareRequest &request, open::PipelineOpener &opener,
                                     measure::ScheduleCompiler &compiler, bench::GpuClient &host,
                                     const std::stop_token &stop,
                                     const job::ProgressCallback &progress) {
  Comparison comparison;
  comparison.pipeline = request.sources.opened.pipeline->name();
  comparison.machine = request.sources.machine.name;
  comparison.seed = request.seed;
  comparison.floor = cost::floorOf(*request.sources.opened.pipeline, request.sources.machine);
  for (const Contender &contender : request.contenders) {
    if (progress) progress({contender.name + ": looking for a schedule", -1});
    FoundContender found =
        findContender(contender, request.sources, opener, compiler, stop, progress);
    if (progress) progress({contender.name + ": compiling", -1});
    if (found.pipeline)
      if (const Status done = compileContender(found, request, compiler, stop, progress); !done)
        return done.error();
    comparison.contenders.push_back(std::move(found.contender));
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  }
  if (progress) progress({"computing the reference", -1});
  if (const Status made = makeCommonReference(request, compiler, host, stop); !made) {
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
    if (made.error().code == ErrorCode::System) return made.error();
    comparison.remarks.push_back(
        "There is no reference, so outputs cannot be checked and nothing is ranked: " +
        made.error().message);
  }
  if (const Status written = writeComparison(comparison, request.folder); !written)
    return written.error();
  return comparison;
}

Status measureComparison(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
                         const std::stop_token &stop, const job::ProgressCallback &progress) {
  // What this measurement has recorded so far is not kept if it fails.
  Comparison measured = comparison;
  const Status status = Measuring(measured, request, gpu, stop, progress).run();
  if (status) comparison = std::move(measured);
  return status;
}

} // namespace tessera::tune
