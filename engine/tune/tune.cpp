// SPDX-License-Identifier: MIT
#include "engine/tune/tune.h"

#include "engine/tune/other_searches.h"
#include "engine/tune/tune_proposer.h"
#include "engine/tune/tune_queue.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/directives/lower.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;
using search::Candidate;

constexpr std::chrono::milliseconds kTick{50};  // pause of the proposing thread between two rounds
constexpr std::chrono::milliseconds kTold{100}; // interval between two progress reports
constexpr int kAskedAgain = 3;                  // attempts to reach a lost GPU of this machine
constexpr int kDialledAgain = 6;                // attempts to reach a lost GPU of another machine
constexpr int kMostLostDevices = 2;             // losses of the device until the candidate fails
constexpr int kMostLostConnections = 3;    // losses of the connection until the candidate fails
constexpr int kFruitless = 200;            // rounds without a proposal until tuning ends
constexpr std::size_t kWaitingForGpu = 16; // no proposals while so many compiled candidates wait
constexpr double kPartOfSearch = 0.5;      // maximal part of the budget for searching
// Candidates that take longer than this many times the fastest one's time are timed only roughly.
constexpr double kSlow = 1.25;
constexpr const char *kGoesOn = "The measurements are kept; run the same command to continue.";

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void pauseFor(std::chrono::milliseconds pause, const std::stop_token &stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, pause, [] { return false; });
}

// The texts of compilers and drivers may be in any encoding, so invalid UTF-8 is replaced.
std::string textOf(const nlohmann::ordered_json &document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Tuning {
public:
  Tuning(const TuneRequest &request, TuneStore &store, std::int64_t context,
         measure::ScheduleCompiler &compiler, bench::GpuClient &gpu, const std::stop_token &stop,
         const TuneCallback &told)
      : m_request(request), m_store(store), m_context(context), m_compiler(compiler), m_gpu(gpu),
        m_bench(gpu, request.where), m_stop(stop), m_told(told), m_start(Clock::now()),
        m_end(m_start + request.budget) {}

  TuneResult run();

private:
  // Functions of the proposing thread.
  bool isOver() const {
    return m_stop.stop_requested() || Clock::now() >= m_end || m_failed.load() ||
           m_ended.load() >= m_request.candidates;
  }
  void propose(TuneProposer &proposer);
  void proposeGrid(TuneProposer &proposer);
  bool enqueue(std::vector<TuneWork> work);
  void learn(TuneProposer &proposer);
  void tell(const TuneProposer &proposer);
  TuneState state(const TuneProposer &proposer) const;
  bool isIdle() const;

  // Functions of the working threads.
  void compileAll(const std::stop_token &stop);
  void compileOne(TuneWork work, const std::stop_token &stop);
  void measureAll(const std::stop_token &stop);
  void measureOne(TuneWork work, const std::stop_token &stop);
  bench::GpuAnswer<measure::BenchFolders> placed(const TuneWork &work, const std::stop_token &stop);
  void lost(TuneWork work, Outcome outcome, const Error &error, const std::stop_token &stop);
  void undelivered(TuneWork work, const Error &error, const std::stop_token &stop);
  bool deviceAnswers(const std::stop_token &stop);

  void noteUnjudged(const bench::Measurement &measurement);
  void end(TuneWork &work, Outcome outcome, const std::string &message);
  void breakOff(const Error &error);

  const TuneRequest &m_request;
  TuneStore &m_store;
  const std::int64_t m_context;
  measure::ScheduleCompiler &m_compiler;
  bench::GpuClient &m_gpu;
  measure::GpuBench m_bench; // used by the measuring thread only
  const std::stop_token &m_stop;
  const TuneCallback &m_told;
  const Clock::time_point m_start, m_end;
  Clock::time_point m_lastTold{};

  TuneQueue m_toCompile, m_toMeasure;
  std::atomic<int> m_underWay = 0; // number of candidates proposed and not finished
  std::atomic<std::size_t> m_ended = 0;
  std::atomic<bool> m_failed = false;

  double m_fastest = 0; // least measured time, used by the measuring thread only; 0: none

  mutable std::mutex m_mutex; // guards all members below
  std::string m_unjudged;     // why the last time that does not count does not
  TuneState m_state;
  double m_compileSeconds = 0, m_gpuSeconds = 0;
  std::vector<TuneLesson> m_measured;    // the proposer has not learnt from these yet
  std::vector<std::uint64_t> m_notRight; // failed candidates, not yet learnt from
  std::optional<Error> m_error;
};

// --- proposing

bool Tuning::enqueue(std::vector<TuneWork> work) {
  for (TuneWork &one : work) {
    if (const Status stored = m_store.propose(m_context, one.record); !stored) {
      breakOff(stored.error());
      return false;
    }
    ++m_underWay;
    {
      const std::lock_guard lock(m_mutex);
      ++m_state.proposed;
    }
    m_toCompile.put(std::move(one));
  }
  return !work.empty();
}

void Tuning::learn(TuneProposer &proposer) {
  std::vector<TuneLesson> measured;
  std::vector<std::uint64_t> failed;
  {
    const std::lock_guard lock(m_mutex);
    measured.swap(m_measured);
    failed.swap(m_notRight);
  }
  for (const TuneLesson &lesson : measured)
    proposer.learn(lesson);
  for (const std::uint64_t hash : failed)
    proposer.fail(hash);
}

bool Tuning::isIdle() const { return m_underWay.load() == 0; }

void Tuning::propose(TuneProposer &proposer) {
  for (TunedCandidate &suspect : proposer.takeSuspects()) {
    suspect.outcome = Outcome::SkippedKnownBad;
    suspect.message = "tuning ended more than once while this schedule was being measured";
    (void)m_store.finish(m_context, suspect);
  }
  enqueue(proposer.takeUndone());
  enqueue(proposer.started());
  if (!m_request.grid.empty()) return proposeGrid(proposer);
  const auto part = std::chrono::duration_cast<Clock::duration>(kPartOfSearch * m_request.budget);
  search::Problem problem{m_request.start, m_request.machine, m_request.seed};
  problem.parameters = m_request.parameters;
  problem.seed += proposer.knownBefore(); // so that a later run finds other candidates
  OtherSearches others(m_request.algorithm, std::move(problem), kOtherSearches, m_start + part);
  enqueue(proposer.searched(m_start + part, m_stop));
  int fruitless = 0;
  while (!isOver() && !(fruitless >= kFruitless && isIdle() && others.isOver())) {
    // Tested before learn() and take(). So if it is true, they leave no result unlearnt and no
    // found candidate outside of the queue.
    const bool wasIdle = others.isOver() && isIdle();
    learn(proposer);
    tell(proposer);
    if (enqueue(proposer.found(others.take()))) continue;
    const bool isWanted =
        m_toCompile.size() < m_request.compilers && m_toMeasure.size() < kWaitingForGpu;
    const bool isFound = isWanted && enqueue(proposer.around(m_request.compilers));
    if (isWanted && !isFound) ++fruitless;
    if (isFound) fruitless = 0;
    // No candidate has a measured time, and no work is left.
    if (!proposer.best() && wasIdle) break;
    if (!isFound) std::this_thread::sleep_for(isWanted && proposer.best() ? kTick / 10 : kTick);
  }
}

void Tuning::proposeGrid(TuneProposer &proposer) {
  bool isLeft = true;
  while (!isOver() && (isLeft || !isIdle())) {
    learn(proposer);
    tell(proposer);
    if (isLeft && m_toCompile.size() < m_request.compilers)
      isLeft = enqueue(proposer.ofGrid(m_end, m_stop));
    else
      std::this_thread::sleep_for(kTick);
  }
}

TuneState Tuning::state(const TuneProposer &proposer) const {
  const std::lock_guard lock(m_mutex);
  TuneState state = m_state;
  state.known = proposer.knownBefore();
  if (const auto best = proposer.best()) state.bestSeconds = best->seconds;
  state.seconds = since(m_start);
  state.compilerBusy =
      m_compileSeconds / (state.seconds * static_cast<double>(m_request.compilers));
  state.gpuBusy = m_gpuSeconds / state.seconds;
  return state;
}

void Tuning::tell(const TuneProposer &proposer) {
  if (!m_told || Clock::now() - m_lastTold < kTold) return;
  m_lastTold = Clock::now();
  m_told(state(proposer));
}

// --- compiling

void Tuning::compileAll(const std::stop_token &stop) {
  while (auto work = m_toCompile.take(stop))
    compileOne(std::move(*work), stop);
}

void Tuning::compileOne(TuneWork work, const std::stop_token &stop) {
  const schedule::Schedule &schedule = work.candidate.schedule;
  measure::CompileRequest request =
      measure::bundleRequest(m_request.plain, schedule.settings().registerCap, m_request.target,
                             m_request.scratch + "/" + std::to_string(work.record.hash));
  request.pipeline.directives = schedule::lower(schedule);
  request.pipeline.promises = schedule.settings().promises;
  request.timeout = m_request.compileTimeout;
  const auto start = Clock::now();
  const measure::CompileAnswer answer = m_compiler.compile(request, stop);
  work.record.compileSeconds = since(start);
  {
    const std::lock_guard lock(m_mutex);
    m_compileSeconds += work.record.compileSeconds;
    m_state.compiled += answer.outcome == Outcome::Ok;
  }
  if (answer.outcome == Outcome::Cancelled) return; // the next run compiles it
  // A full disk is no fault of the candidate, and would be that of all that follow.
  if (answer.outcome != Outcome::Ok && answer.error.code == ErrorCode::System)
    return breakOff(answer.error);
  if (answer.outcome != Outcome::Ok) return end(work, answer.outcome, answer.error.message);
  work.bundle = request.output;
  work.record.report = textOf(report::toJson(answer.report));
  work.compiled = answer.report;
  work.candidate.seconds =
      cost::predict(schedule, m_request.machine, answer.report.kernels).seconds;
  m_toMeasure.put(std::move(work));
}

// --- measuring

void Tuning::measureAll(const std::stop_token &stop) {
  while (!m_failed.load()) {
    auto work = m_toMeasure.take(stop);
    if (!work) return;
    const auto start = Clock::now();
    measureOne(std::move(*work), stop);
    const std::lock_guard lock(m_mutex);
    m_gpuSeconds += since(start);
  }
}

// Sends the shared reference and then the bundle to the worker.
bench::GpuAnswer<measure::BenchFolders> Tuning::placed(const TuneWork &work,
                                                       const std::stop_token &stop) {
  auto folders = m_bench.placeShared(m_request.reference, stop);
  if (folders.outcome != Outcome::Ok) return folders;
  auto bundle = m_bench.place(work.bundle, {}, stop);
  if (bundle.outcome != Outcome::Ok) return bundle;
  folders.value.bundle = std::move(bundle.value.bundle);
  return folders;
}

void Tuning::measureOne(TuneWork work, const std::stop_token &stop) {
  if (const Status begun = m_store.beginMeasuring(m_context, work.record.hash); !begun)
    return breakOff(begun.error());
  const auto folders = placed(work, stop);
  if (folders.outcome != Outcome::Ok) return undelivered(std::move(work), folders.error, stop);
  bench::MeasureOptions options = m_request.measure;
  options.slowSeconds = kSlow * m_fastest;
  const auto answer = m_bench.measure(options, folders.value, m_request.measureTimeout, stop);
  switch (answer.outcome) {
  case Outcome::Cancelled: // the next run measures it
    (void)m_store.undoMeasuring(m_context, work.record.hash);
    return;
  case Outcome::DeviceLost:
  case Outcome::ConnectionLost:
  case Outcome::ProtocolError:
    return lost(std::move(work), answer.outcome, answer.error, stop);
  case Outcome::Ok:
    work.record.measurement = textOf(bench::toJson(answer.value));
    if (answer.value.verified())
      work.record.seconds = answer.value.backToBack.median;
    else
      noteUnjudged(answer.value);
    if (work.record.seconds && (m_fastest == 0 || *work.record.seconds < m_fastest))
      m_fastest = *work.record.seconds;
    work.kernels = measuredKernels(work.candidate.schedule, work.compiled, answer.value);
    break;
  default:
    break; // the failure counts against the candidate
  }
  end(work, answer.outcome, answer.error.message);
}

// Keeps why the time of a measurement does not count.
void Tuning::noteUnjudged(const bench::Measurement &measurement) {
  const std::lock_guard lock(m_mutex);
  if (measurement.comparison) m_unjudged = measurement.comparison->whyUndecided();
}

bool Tuning::deviceAnswers(const std::stop_token &stop) {
  const int most =
      m_request.where == measure::GpuBench::Where::Elsewhere ? kDialledAgain : kAskedAgain;
  for (int i = 0; i < most && !stop.stop_requested(); ++i) {
    if (i > 0) pauseFor(m_request.pause * (1 << (i - 1)), stop);
    if (m_gpu.describe(m_request.measureTimeout, stop).outcome == Outcome::Ok) return true;
  }
  return false;
}

// If the device stays lost, the run ends, and the loss does not count against the candidate. If the
// device answers again, the candidate may be the cause: it gets another try, and fails at the
// second loss. A connection can be lost for many reasons, so a candidate fails only at the third
// loss of a connection.
void Tuning::lost(TuneWork work, Outcome outcome, const Error &error, const std::stop_token &stop) {
  if (!deviceAnswers(stop)) {
    (void)m_store.undoMeasuring(m_context, work.record.hash);
    if (!stop.stop_requested())
      breakOff({errorCode(outcome), "The GPU is lost: " + error.message, kGoesOn});
    return;
  }
  const bool isConnection = outcome == Outcome::ConnectionLost;
  if (++work.lost >= (isConnection ? kMostLostConnections : kMostLostDevices))
    return end(work, outcome, error.message);
  if (isConnection) (void)m_store.undoMeasuring(m_context, work.record.hash);
  m_toMeasure.put(std::move(work));
}

// A bundle that cannot be delivered is not the candidate's fault, so the attempt does not count.
void Tuning::undelivered(TuneWork work, const Error &error, const std::stop_token &stop) {
  (void)m_store.undoMeasuring(m_context, work.record.hash);
  const bool isReached = deviceAnswers(stop);
  if (stop.stop_requested()) return;
  if (isReached && ++work.undelivered < kMostLostConnections)
    return m_toMeasure.put(std::move(work));
  breakOff({error.code, "A bundle cannot be sent to the GPU: " + error.message, kGoesOn});
}

void Tuning::end(TuneWork &work, Outcome outcome, const std::string &message) {
  work.record.outcome = outcome;
  work.record.message = message;
  const auto stored = m_store.finish(m_context, work.record);
  std::error_code ignored;
  if (!work.bundle.empty()) std::filesystem::remove_all(work.bundle, ignored);
  {
    const std::lock_guard lock(m_mutex);
    if (outcome == Outcome::Ok) {
      ++m_state.measured;
      if (work.record.seconds)
        m_measured.push_back(
            {{work.candidate.schedule, *work.record.seconds}, std::move(work.kernels)});
    } else {
      ++m_state.failed;
      m_notRight.push_back(work.record.hash);
    }
  }
  if (!stored) breakOff(stored.error());
  ++m_ended;
  --m_underWay; // last, so that all results are visible when it is zero
}

void Tuning::breakOff(const Error &error) {
  const std::lock_guard lock(m_mutex);
  if (!m_error) m_error = error;
  m_failed = true;
}

// --- the whole run

TuneResult Tuning::run() {
  TuneResult result;
  const auto stored = m_store.candidates(m_context);
  if (!stored) {
    result.error = stored.error();
    return result;
  }
  TuneProposer proposer(m_request, *stored);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < m_request.compilers; ++i)
      workers.emplace_back([this](const std::stop_token &stop) { compileAll(stop); });
    workers.emplace_back([this](const std::stop_token &stop) { measureAll(stop); });
    propose(proposer);
    for (std::jthread &worker : workers)
      worker.request_stop();
  }
  learn(proposer);
  result.best = proposer.best();
  result.state = state(proposer);
  result.cancelled = m_stop.stop_requested();
  result.error = m_error;
  if (!result.best && !result.error && !m_unjudged.empty())
    result.error = Error{ErrorCode::InputRefused,
                         "No schedule could be judged, so no time counts: " + m_unjudged + ".",
                         "Give inputs with --input whose outputs tell more, or say with "
                         "--tolerance what may differ."};
  result.causesOfDropped = proposer.causesOfDropped();
  return result;
}

} // namespace

TuneResult tune(const TuneRequest &request, TuneStore &store, std::int64_t context,
                measure::ScheduleCompiler &compiler, bench::GpuClient &gpu,
                const std::stop_token &stop, const TuneCallback &told) {
  return Tuning(request, store, context, compiler, gpu, stop, told).run();
}

} // namespace tessera::tune
