// SPDX-License-Identifier: MIT
#include "engine/tune/tune.h"

#include "engine/tune/kernel_times.h"
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
// A whole candidate is compiled unless its kernels alone take longer than this times those of the
// fastest one.
constexpr double kPromising = 1.01;
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
         const TuneCallback &told, const std::vector<TimedKernel> &kernels)
      : m_request(request), m_store(store), m_context(context), m_compiler(compiler), m_gpu(gpu),
        m_bench(gpu, request.where), m_stop(stop), m_told(told), m_start(Clock::now()),
        m_end(m_start + request.budget), m_kernels(kernels) {}

  TuneResult run(const std::vector<TunedCandidate> &stored);

private:
  // Functions of the proposing thread.
  bool isOver() const {
    return m_stop.stop_requested() || Clock::now() >= m_end || m_failed.load() ||
           m_ended.load() >= m_request.candidates;
  }
  void propose(TuneProposer &proposer);
  void proposeGrid(TuneProposer &proposer);
  void proposeBeam(TuneProposer &proposer);
  bool enqueue(std::vector<TuneWork> work);
  void learn(TuneProposer &proposer);
  void tell(const TuneProposer &proposer);
  TuneState state(const TuneProposer &proposer) const;
  bool isIdle() const;

  // Functions of the working threads.
  void compileAll(const std::stop_token &stop);
  measure::CompileRequest requestFor(const schedule::Schedule &schedule) const;
  measure::CompileAnswer compiled(const measure::CompileRequest &request, double &seconds,
                                  const std::stop_token &stop);
  void compileOne(TuneWork work, const std::stop_token &stop);
  void compileKernels(TuneWork work, const std::stop_token &stop);
  void compileKernel(const TuneWork &work, const CandidateKernel &kernel,
                     measure::CompileRequest request, const std::stop_token &stop);
  void finishKernel(const TimedKernel &kernel);
  void decide(TuneWork work);
  void measureAll(const std::stop_token &stop);
  void measureOne(TuneWork work, const std::stop_token &stop);
  void noteTimes(TuneWork &work, const bench::Measurement &measurement);
  bench::GpuAnswer<measure::BenchFolders> placed(const TuneWork &work, const std::stop_token &stop);
  void lost(TuneWork work, Outcome outcome, const Error &error, const std::stop_token &stop);
  void undelivered(TuneWork work, const Error &error, const std::stop_token &stop);
  bool deviceAnswers(const std::stop_token &stop);

  void noteUnjudged(const bench::Measurement &measurement);
  void end(TuneWork work, Outcome outcome, const std::string &message);
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
  KernelTimes m_kernels;
  std::atomic<double> m_fastestSum = 0;  // of its kernels alone; 0: not known
  std::atomic<double> m_wholePerSum = 1; // its time over that sum

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
    one.isWhole = !m_request.byKernels;
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
  if (m_request.beam) return proposeBeam(proposer);
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

// A batch waits until all of the last one is measured, since it is ranked by what was learnt.
void Tuning::proposeBeam(TuneProposer &proposer) {
  bool isLeft = true;
  while (!isOver() && (isLeft || !isIdle())) {
    const bool wasIdle = isIdle(); // asked first, so that nothing is left to learn if it is true
    learn(proposer);
    tell(proposer);
    if (isLeft && wasIdle)
      isLeft = enqueue(proposer.ofBeam(m_end, m_stop));
    else
      std::this_thread::sleep_for(kTick);
  }
}

TuneState Tuning::state(const TuneProposer &proposer) const {
  const std::lock_guard lock(m_mutex);
  TuneState state = m_state;
  state.known = proposer.knownBefore();
  state.trainings = proposer.trained().size();
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
  while (auto work = m_toCompile.take(stop)) {
    if (work->isWhole)
      compileOne(std::move(*work), stop);
    else
      compileKernels(std::move(*work), stop);
  }
}

measure::CompileRequest Tuning::requestFor(const schedule::Schedule &schedule) const {
  measure::CompileRequest request =
      measure::bundleRequest(m_request.plain, schedule.settings().registerCap, m_request.target,
                             m_request.scratch + "/" + std::to_string(schedule.hash()));
  request.pipeline.directives = schedule::lower(schedule);
  request.pipeline.promises = schedule.settings().promises;
  request.timeout = m_request.compileTimeout;
  return request;
}

// Compiles, and adds to the time that compilers were busy.
measure::CompileAnswer Tuning::compiled(const measure::CompileRequest &request, double &seconds,
                                        const std::stop_token &stop) {
  const auto start = Clock::now();
  measure::CompileAnswer answer = m_compiler.compile(request, stop);
  seconds += since(start);
  // A full disk is no fault of the candidate, and would be that of all that follow.
  if (answer.outcome != Outcome::Ok && answer.outcome != Outcome::Cancelled &&
      answer.error.code == ErrorCode::System)
    breakOff(answer.error);
  const std::lock_guard lock(m_mutex);
  m_compileSeconds += seconds;
  return answer;
}

void Tuning::compileOne(TuneWork work, const std::stop_token &stop) {
  const schedule::Schedule &schedule = work.candidate.schedule;
  const measure::CompileRequest request = requestFor(schedule);
  const measure::CompileAnswer answer = compiled(request, work.record.compileSeconds, stop);
  if (answer.outcome == Outcome::Cancelled) return; // the next run compiles it
  if (m_failed.load()) return;
  if (answer.outcome != Outcome::Ok) return end(work, answer.outcome, answer.error.message);
  {
    const std::lock_guard lock(m_mutex);
    ++m_state.compiled;
  }
  work.bundle = request.output;
  work.record.report = textOf(report::toJson(answer.report));
  work.compiled = answer.report;
  work.candidate.seconds =
      cost::predict(schedule, m_request.machine, answer.report.kernels).seconds;
  m_toMeasure.put(std::move(work));
}

// --- kernels alone

// A candidate with a kernel that cannot be alone goes on as a whole.
void Tuning::compileKernels(TuneWork work, const std::stop_token &stop) {
  auto kernels = kernelsOf(work.candidate.schedule);
  if (!kernels) {
    work.isWhole = true;
    return compileOne(std::move(work), stop);
  }
  work.parts = std::move(*kernels);
  const measure::CompileRequest request = requestFor(work.candidate.schedule);
  for (const CandidateKernel &kernel : work.parts)
    if (!stop.stop_requested() && m_kernels.claim(kernel.content))
      compileKernel(work, kernel, request, stop);
  if (auto ready = m_kernels.await(std::move(work))) decide(std::move(*ready));
}

// `request` is that of the whole candidate.
void Tuning::compileKernel(const TuneWork &work, const CandidateKernel &kernel,
                           measure::CompileRequest request, const std::stop_token &stop) {
  TuneWork task{.candidate = {work.candidate.schedule, 0}, .record = {}};
  task.record.hash = work.record.hash;
  task.alone.content = kernel.content;
  task.alone.func = kernel.alone.excerpt.output.name;
  task.alone.candidate = work.record.hash;
  request.output = m_request.scratch + "/" + kernel.content;
  const std::string folder = request.output + ".cut";
  std::error_code ignored;
  std::filesystem::create_directory(folder, ignored); // where it fails, so does cutting out
  const auto start = Clock::now();
  auto cut = m_compiler.excerpt(request.pipeline, kernel.alone, folder + "/kernel.hlpipe",
                                request.timeout, stop);
  task.alone.compileSeconds = since(start);
  measure::CompileAnswer answer;
  if (cut) {
    request.pipeline = std::move(*cut);
    answer = compiled(request, task.alone.compileSeconds, stop);
  } else {
    answer = {Outcome::CompileError, {}, cut.error()};
  }
  std::filesystem::remove_all(folder, ignored);
  if (answer.outcome == Outcome::Cancelled || m_failed.load() || stop.stop_requested()) return;
  if (answer.outcome == Outcome::Ok && answer.report.kernels.empty())
    answer = {Outcome::CompileError, {}, {ErrorCode::InputRefused, "nothing runs on the GPU", ""}};
  if (answer.outcome != Outcome::Ok) {
    task.alone.outcome = answer.outcome;
    task.alone.message = answer.error.message;
    return finishKernel(task.alone);
  }
  task.bundle = request.output;
  task.alone.report = textOf(report::toJson(answer.report));
  m_toMeasure.put(std::move(task));
}

void Tuning::finishKernel(const TimedKernel &kernel) {
  if (const Status stored = m_store.addKernel(m_context, kernel); !stored)
    return breakOff(stored.error());
  {
    const std::lock_guard lock(m_mutex);
    m_state.kernels += kernel.seconds.has_value();
  }
  for (TuneWork &ready : m_kernels.finish(kernel))
    decide(std::move(ready));
}

// What becomes of a candidate whose kernels are known. Only that of the whole tells of its outputs,
// so what may be the fastest is compiled as a whole, and so is what nothing can be said of.
void Tuning::decide(TuneWork work) {
  if (const auto fatal = m_kernels.fatalOf(work.parts))
    return end(work, fatal->outcome, fatal->func + " alone: " + fatal->message);
  work.kernels = m_kernels.timesOf(work.parts);
  const double sum = secondsOf(work.kernels), fastest = m_fastestSum.load();
  work.isWhole = work.kernels.empty() || fastest == 0 || sum <= kPromising * fastest;
  work.candidate.seconds = sum * m_wholePerSum;
  if (work.isWhole) return m_toCompile.put(std::move(work));
  end(work, Outcome::Ok, "");
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

// Sends the shared reference and then the bundle to the worker. A kernel alone has no reference.
bench::GpuAnswer<measure::BenchFolders> Tuning::placed(const TuneWork &work,
                                                       const std::stop_token &stop) {
  auto folders = m_bench.placeShared(work.isAlone() ? std::string() : m_request.reference, stop);
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
  if (work.isAlone()) {
    options.singles = options.coldSamples = options.tracedRuns = 0;
    options.allocating = options.graph = options.hashOutputs = false;
  }
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
    noteTimes(work, answer.value);
    break;
  default:
    break; // the failure counts against the candidate
  }
  end(work, answer.outcome, answer.error.message);
}

void Tuning::noteTimes(TuneWork &work, const bench::Measurement &measurement) {
  if (work.isAlone()) {
    work.alone.seconds = measurement.backToBack.median;
    work.alone.measurement = textOf(bench::toJson(measurement));
    return;
  }
  work.record.measurement = textOf(bench::toJson(measurement));
  if (work.kernels.empty())
    work.kernels = measuredKernels(work.candidate.schedule, work.compiled, measurement);
  if (!measurement.verified()) return noteUnjudged(measurement);
  work.record.seconds = measurement.backToBack.median;
  if (m_fastest > 0 && *work.record.seconds >= m_fastest) return;
  m_fastest = *work.record.seconds;
  m_fastestSum = secondsOf(m_kernels.timesOf(work.parts));
  if (m_fastestSum > 0) m_wholePerSum = m_fastest / m_fastestSum;
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

void Tuning::end(TuneWork work, Outcome outcome, const std::string &message) {
  std::error_code ignored;
  if (!work.bundle.empty()) std::filesystem::remove_all(work.bundle, ignored);
  if (work.isAlone()) {
    // The candidate itself was not measured yet.
    (void)m_store.undoMeasuring(m_context, work.record.hash);
    work.alone.outcome = outcome;
    work.alone.message = message;
    return finishKernel(work.alone);
  }
  work.record.outcome = outcome;
  work.record.message = message;
  const auto stored = m_store.finish(m_context, work.record);
  {
    const std::lock_guard lock(m_mutex);
    if (outcome == Outcome::Ok) {
      ++(work.isWhole ? m_state.measured : m_state.estimated);
      // What is estimated has the time of its kernels for its own.
      const auto seconds =
          work.isWhole ? work.record.seconds : std::optional(work.candidate.seconds);
      if (seconds)
        m_measured.push_back(
            {{work.candidate.schedule, *seconds}, std::move(work.kernels), work.isWhole});
    } else {
      ++m_state.failed;
      m_notRight.push_back(work.record.hash);
    }
  }
  if (!stored) breakOff(stored.error());
  m_ended += work.isWhole || outcome != Outcome::Ok;
  --m_underWay; // last, so that all results are visible when it is zero
}

void Tuning::breakOff(const Error &error) {
  const std::lock_guard lock(m_mutex);
  if (!m_error) m_error = error;
  m_failed = true;
}

// --- the whole run

TuneResult Tuning::run(const std::vector<TunedCandidate> &stored) {
  TuneResult result;
  TuneProposer proposer(m_request, stored);
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
  result.trained = proposer.trained();
  result.causesOfDropped = proposer.causesOfDropped();
  return result;
}

} // namespace

TuneResult tune(const TuneRequest &request, TuneStore &store, std::int64_t context,
                measure::ScheduleCompiler &compiler, bench::GpuClient &gpu,
                const std::stop_token &stop, const TuneCallback &told) {
  TuneResult unread;
  const auto candidates = store.candidates(context);
  if (!candidates) unread.error = candidates.error();
  const auto kernels = store.kernels(context);
  if (!kernels) unread.error = kernels.error();
  if (unread.error) return unread;
  return Tuning(request, store, context, compiler, gpu, stop, told, *kernels).run(*candidates);
}

} // namespace tessera::tune
