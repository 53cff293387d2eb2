// SPDX-License-Identifier: MIT
#include "engine/tune/compare.h"

#include "engine/bench/deliver.h"
#include "engine/cost/roofline/roofline_work.h"
#include "engine/measure/bench.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace tessera::tune {

namespace {

constexpr const char *kReference = "/reference";
constexpr std::chrono::minutes kDeliveryTime{10}; // of a piece of a bundle
constexpr int kMostLostConnections = 3;

measure::CompileRequest compileRequest(const PrepareRequest &request, const Contender &contender,
                                       const measure::ScheduledPipeline &pipeline) {
  measure::CompileRequest compile;
  compile.pipeline = pipeline;
  compile.capability = request.capability;
  compile.architecture = request.architecture;
  compile.registerCap = contender.registerCap;
  compile.output = request.folder + "/" + contender.name;
  return compile;
}

void compileContender(FoundContender &found, const PrepareRequest &request,
                      measure::ScheduleCompiler &compiler, const std::stop_token &stop,
                      const job::ProgressCallback &progress) {
  Contender &contender = found.contender;
  const measure::CompileAnswer compiled =
      compiler.compile(compileRequest(request, contender, *found.pipeline), stop, progress);
  if (compiled.outcome != Outcome::Ok) {
    contender.why = std::string(name(compiled.outcome)) + ": " + compiled.error.message;
    return;
  }
  contender.state = ContenderState::Ready;
  contender.kernels = compiled.report.kernels.size();
}

// What every contender's outputs are compared with.
Status makeCommonReference(const PrepareRequest &request, measure::ScheduleCompiler &compiler,
                           bench::GpuClient &host, const std::stop_token &stop) {
  const open::OpenedPipeline &opened = request.sources.opened;
  measure::BenchBundleRequest reference;
  reference.pipeline = opened.pipeline;
  reference.seed = request.seed;
  reference.inputs = request.inputs;
  reference.compile.pipeline.file = opened.file.pipeline;
  reference.compile.pipeline.sidecar = opened.file.sidecar;
  reference.compile.pipeline.name = opened.pipeline->name();
  reference.compile.pipeline.estimates = opened.file.estimates;
  return measure::makeReference(compiler, host, reference, request.folder + kReference, stop);
}

// Whose turn it is, as the phases of the worker say: "2: measuring".
std::optional<std::size_t> turnIn(const std::string &phase) {
  std::size_t turn = 0;
  const char *end = phase.data() + phase.size();
  const auto [rest, problem] = std::from_chars(phase.data(), end, turn);
  const bool isTurn = problem == std::errc() && rest != end && *rest == ':';
  return isTurn ? std::optional(turn) : std::nullopt;
}

class Measuring {
public:
  Measuring(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
            const std::stop_token &stop, const job::ProgressCallback &progress)
      : m_comparison(comparison), m_request(request), m_gpu(gpu), m_stop(stop),
        m_progress(progress) {}

  Status run() {
    if (const Status placed = place(); !placed) return placed;
    while (!m_left.empty()) {
      m_turn.reset();
      const auto answer = m_gpu.interleave(optionsOfLeft(), m_request.timeout, m_stop,
                                           [&](const job::Progress &at) { follow(at); });
      if (answer.outcome == Outcome::Ok) {
        take(answer.value);
        break;
      }
      // All begin anew, wherever it happened.
      if (answer.outcome == Outcome::ConnectionLost && ++m_lostConnections < kMostLostConnections)
        continue;
      // Before anyone's turn, and where the request itself was wrong, nobody is to blame.
      if (!m_turn || *m_turn >= m_left.size() || answer.outcome == Outcome::Cancelled ||
          answer.outcome == Outcome::ConnectionLost)
        return Error{errorCode(answer.outcome), answer.error.message, answer.error.hint};
      leaveOut(*m_turn, answer.outcome, answer.error);
    }
    return writeComparison(m_comparison, m_request.folder);
  }

private:
  struct Entry {
    Contender *contender;
    std::string bundle; // where the worker is
  };

  // The bundles where the worker is, and the reference.
  Status place() {
    const std::string folder = std::filesystem::absolute(m_request.folder).lexically_normal();
    auto reference = placed(folder + kReference);
    if (!reference) return reference.error();
    m_reference = std::move(*reference);
    m_hasInputs = !bench::inputsIn(folder + kReference).empty();
    for (Contender &contender : m_comparison.contenders) {
      if (!contender.hasBundle()) continue;
      auto bundle = placed(folder + "/" + contender.name);
      if (!bundle) return bundle.error();
      m_left.push_back({&contender, std::move(*bundle)});
    }
    return Done{};
  }

  Result<std::string> placed(const std::string &folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) return std::string(); // no reference was made
    if (!m_request.isElsewhere) return folder;
    return bench::deliverBundle(m_gpu, folder, kDeliveryTime, m_stop, m_progress);
  }

  bench::InterleaveOptions optionsOfLeft() const {
    bench::InterleaveOptions options;
    for (const Entry &entry : m_left)
      options.bundles.push_back(entry.bundle);
    options.reference = m_reference;
    options.inputs = m_hasInputs ? m_reference : "";
    options.seed = m_comparison.seed;
    options.rounds = m_request.rounds;
    return options;
  }

  void follow(const job::Progress &at) {
    const auto turn = turnIn(at.phase);
    if (turn) m_turn = turn;
    if (!m_progress) return;
    const bool isKnown = turn && *turn < m_left.size();
    m_progress(
        isKnown ? job::Progress{m_left[*turn].contender->name + at.phase.substr(at.phase.find(':')),
                                at.fraction}
                : at);
  }

  void take(const std::vector<bench::Measurement> &measurements) {
    for (std::size_t i = 0; i < m_left.size(); ++i) {
      m_left[i].contender->state = ContenderState::Measured;
      m_left[i].contender->measurement = measurements[i];
    }
  }

  void leaveOut(std::size_t turn, Outcome outcome, const Error &error) {
    Contender &contender = *m_left[turn].contender;
    const bool isWrong = outcome == Outcome::WrongOutput;
    contender.state = isWrong ? ContenderState::WrongOutput : ContenderState::NotMeasured;
    contender.why = std::string(name(outcome)) + ": " + error.message;
    contender.measurement.reset();
    m_left.erase(m_left.begin() + static_cast<std::ptrdiff_t>(turn));
  }

  Comparison &m_comparison;
  const TurnsRequest &m_request;
  bench::GpuClient &m_gpu;
  const std::stop_token &m_stop;
  const job::ProgressCallback &m_progress;
  std::string m_reference; // where the worker is; with the inputs that the user gave
  bool m_hasInputs = false;
  std::vector<Entry> m_left;
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
    if (found.pipeline) compileContender(found, request, compiler, stop, progress);
    comparison.contenders.push_back(std::move(found.contender));
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
  }
  if (progress) progress({"computing the reference", -1});
  if (const Status made = makeCommonReference(request, compiler, host, stop); !made) {
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "Cancelled.", ""};
    comparison.remarks.push_back("There is no reference, so no output can be checked and nothing "
                                 "is ranked: " +
                                 made.error().message);
  }
  if (const Status written = writeComparison(comparison, request.folder); !written)
    return written.error();
  return comparison;
}

Status measureComparison(Comparison &comparison, const TurnsRequest &request, bench::GpuClient &gpu,
                         const std::stop_token &stop, const job::ProgressCallback &progress) {
  return Measuring(comparison, request, gpu, stop, progress).run();
}

} // namespace tessera::tune
