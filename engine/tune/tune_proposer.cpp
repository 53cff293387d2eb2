// SPDX-License-Identifier: MIT
#include "engine/tune/tune_proposer.h"

#include "engine/tune/refine.h"
#include "engine/cost/prediction.h"
#include "engine/document/prediction_json.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/search/algorithms.h"
#include "engine/search/beam/beam_parameters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;
using search::Candidate;

constexpr std::size_t kOfSearch = 6; // number of the search's candidates that are measured
constexpr std::size_t kFastest = 8;  // candidates remembered as fastest
constexpr std::size_t kWalks = 48;   // random walks per call of around()
constexpr int kMostAttempts = 2;     // attempts to measure a candidate, over all runs
// Candidates slower than this times the best predicted time are dropped: the cost model is not that
// wrong.
constexpr double kHopeless = 3;

// For successive proposals, the rank of the candidate that is varied: the fastest comes most
// often.
constexpr std::array<std::size_t, 8> kParents{0, 1, 0, 2, 0, 1, 0, 3};

// Every sixth proposal is a neighbour of a fast schedule; the others vary kernels.
constexpr std::size_t kOneInNeighbours = 6;

constexpr const char *kStart = "start", *kNeighbour = "neighbour", *kKernels = "kernels",
                     *kOther = "other rates";

std::vector<search::MeasuredKernel> recalledKernels(const schedule::Schedule &schedule,
                                                    const TunedCandidate &stored) {
  const auto report =
      report::compileReportFromJson(nlohmann::json::parse(stored.report, nullptr, false));
  const auto measurement =
      bench::measurementFromJson(nlohmann::json::parse(stored.measurement, nullptr, false));
  if (!report || !measurement) return {};
  return measuredKernels(schedule, *report, *measurement);
}

} // namespace

std::vector<StageSeconds> secondsByStage(const report::CompileReport &report,
                                         const bench::Measurement &measurement) {
  std::vector<StageSeconds> all;
  for (const bench::KernelTime &kernel : measurement.kernels) {
    const auto compiled =
        std::ranges::find(report.kernels, kernel.name, &report::KernelReport::name);
    if (kernel.seconds.measured() && compiled != report.kernels.end() && !compiled->stages.empty())
      all.push_back({compiled->stages.front(), kernel.launches * kernel.seconds.median});
  }
  return all;
}

std::vector<search::MeasuredKernel> measuredKernels(const schedule::Schedule &schedule,
                                                    const report::CompileReport &report,
                                                    const bench::Measurement &measurement) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  std::map<std::string, pipeline::FuncId> funcs;
  for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f)
    funcs[pipeline.func(pipeline::FuncId{f}).name] = pipeline::FuncId{f};
  std::vector<search::MeasuredKernel> kernels;
  for (const auto &[stage, seconds] : secondsByStage(report, measurement))
    if (const auto func = funcs.find(stage.func); func != funcs.end())
      kernels.push_back({func->second, seconds});
  return kernels;
}

TuneProposer::TuneProposer(const TuneRequest &request, const std::vector<TunedCandidate> &stored)
    : m_request(request),
      // The number of stored candidates changes the seed: another run searches elsewhere, but the
      // same store and seed give the same proposals.
      m_neighbours(request.machine, request.seed + stored.size()),
      m_kernels(request.machine, request.seed + stored.size()) {
  if (request.beam) beginBeam(stored);
  for (const TunedCandidate &candidate : stored)
    recall(candidate);
}

// An earlier run that was ended in the middle of a batch made most of it: its number of batches is
// rounded up.
void TuneProposer::beginBeam(const std::vector<TunedCandidate> &stored) {
  search::Problem problem{m_request.start, m_request.machine, m_request.seed};
  problem.parameters = m_request.parameters;
  const auto samples = static_cast<std::size_t>(search::beamParameters(problem.parameters).samples);
  const std::size_t size = std::min(samples, m_request.beam->measured);
  const auto known = static_cast<std::size_t>(
      std::ranges::count(stored, m_request.algorithm, &TunedCandidate::origin));
  m_beam.emplace(std::move(problem), *m_request.beam, (known + size - 1) / size);
}

void TuneProposer::recall(const TunedCandidate &stored) {
  m_known.insert(stored.hash);
  if (stored.outcome) ++m_knownBefore;
  const bool isFast = stored.outcome == Outcome::Ok && stored.seconds;
  if (stored.outcome && !isFast) return;
  if (!stored.outcome && stored.attempts >= kMostAttempts) {
    m_suspects.push_back(stored);
    return;
  }
  const auto document = nlohmann::json::parse(stored.schedule, nullptr, false);
  const auto schedule = schedule::scheduleFromJson(m_request.start.base(), document);
  if (!schedule) return; // the schedule was stored by a program version with other decisions
  if (isFast) {
    m_isSearched |= stored.origin == m_request.algorithm;
    learn({{*schedule, *stored.seconds}, recalledKernels(*schedule, stored)});
  } else if (schedule::isLegal(*schedule, m_request.machine)) {
    m_undone.push_back({{*schedule, stored.predictedSeconds}, stored, {}});
  }
}

void TuneProposer::learn(const TuneLesson &lesson) {
  const Candidate &measured = lesson.candidate;
  m_dropped.run([&] { m_kernels.learn(measured.schedule, lesson.kernels, measured.seconds); });
  if (!lesson.isMeasured) return;
  const auto place = std::ranges::upper_bound(m_fastest, measured.seconds, {}, &Candidate::seconds);
  m_fastest.insert(place, measured);
  if (m_fastest.size() > kFastest) m_fastest.pop_back();
  if (m_beam) m_beam->learn(measured.schedule, measured.seconds);
}

std::optional<Candidate> TuneProposer::best() const {
  return m_fastest.empty() ? std::nullopt : std::optional(m_fastest.front());
}

TuneWork TuneProposer::workOf(Candidate candidate, const std::string &origin,
                              std::optional<std::uint64_t> parent) {
  TuneWork work{std::move(candidate), {}, {}};
  const schedule::Schedule &schedule = work.candidate.schedule;
  work.record.hash = schedule.hash();
  work.record.origin = origin;
  work.record.parent = parent;
  work.record.schedule = schedule::toJson(schedule).dump();
  const cost::Prediction prediction = cost::predict(schedule, m_request.machine);
  work.record.features = document::toJson(prediction, schedule, m_request.machine).dump();
  // Predicted again, because the candidate's own seconds may be 0 or an optimistic estimate.
  work.record.predictedSeconds = prediction.seconds;
  return work;
}

std::vector<TuneWork> TuneProposer::started() {
  const schedule::Schedule &start = m_request.start;
  if (!m_request.isStartMeasured || !m_known.insert(start.hash()).second) return {};
  std::vector<TuneWork> work;
  work.push_back(workOf({start, 0}, kStart, std::nullopt)); // 0 s: it leaves the queue first
  return work;
}

std::vector<TuneWork> TuneProposer::searched(Clock::time_point until, const std::stop_token &stop) {
  if (m_isSearched) return {};
  m_isSearched = true;
  search::Problem problem{m_request.start, m_request.machine, m_request.seed};
  problem.parameters = m_request.parameters;
  auto made = search::makeSearch(m_request.algorithm, std::move(problem));
  if (!made) return {}; // the name was checked before
  search::Search &search = **made;
  while (!stop.stop_requested() && Clock::now() < until && search.step()) {
  }
  std::vector<Candidate> candidates = search.takeCandidates();
  candidates.push_back(search.best());
  std::vector<TuneWork> work;
  m_predictedBest = search.best().seconds;
  for (Candidate &candidate : worthCompiling(candidates, kOfSearch, m_request.machine))
    if (m_known.insert(candidate.schedule.hash()).second)
      work.push_back(workOf(std::move(candidate), m_request.algorithm, std::nullopt));
  return work;
}

std::vector<TuneWork> TuneProposer::ofGrid(Clock::time_point until, const std::stop_token &stop) {
  while (m_nextOfGrid < m_request.grid.size()) {
    search::Problem problem{m_request.start, m_request.machine, m_request.seed};
    problem.parameters = m_request.grid[m_nextOfGrid++];
    auto made = search::makeSearch(m_request.algorithm, std::move(problem));
    if (!made) return {}; // the name was checked before
    bool isGoing = true;
    while (isGoing && !stop.stop_requested() && Clock::now() < until)
      isGoing = (*made)->step();
    if (isGoing) return {};
    const Candidate &best = (*made)->best();
    if (!m_known.insert(best.schedule.hash()).second) continue;
    std::vector<TuneWork> work;
    work.push_back(workOf(best, m_request.algorithm, std::nullopt));
    return work;
  }
  return {};
}

std::vector<TuneWork> TuneProposer::ofBeam(Clock::time_point until, const std::stop_token &stop) {
  std::vector<TuneWork> work;
  while (work.empty()) {
    std::vector<schedule::Schedule> batch = m_beam->next(until, stop);
    if (batch.empty()) break;
    for (schedule::Schedule &sample : batch) {
      if (!m_known.insert(sample.hash()).second) continue;
      work.push_back(workOf({std::move(sample), 0}, m_request.algorithm, std::nullopt));
      work.back().candidate.seconds = work.back().record.predictedSeconds;
    }
  }
  return work;
}

std::vector<TrainedBatch> TuneProposer::trained() const {
  return m_beam ? m_beam->trained() : std::vector<TrainedBatch>();
}

std::vector<TuneWork> TuneProposer::found(std::vector<Candidate> candidates) {
  std::vector<TuneWork> work;
  for (Candidate &candidate : candidates) {
    const bool isHopeless = m_predictedBest > 0 && candidate.seconds > kHopeless * m_predictedBest;
    if (isHopeless || !schedule::isLegal(candidate.schedule, m_request.machine) ||
        !m_known.insert(candidate.schedule.hash()).second)
      continue;
    work.push_back(workOf(std::move(candidate), kOther, std::nullopt));
    // 0 s: it leaves the queue before the neighbours of measured candidates, even before those with
    // a lower prediction.
    work.back().candidate.seconds = 0;
  }
  return work;
}

std::vector<TuneWork> TuneProposer::around(std::size_t most) {
  if (m_fastest.empty()) return {};
  std::vector<TuneWork> work = m_dropped.run([&] { return kernels(most); });
  if (!work.empty()) return work;
  ++m_proposals;
  return m_dropped.run([&] { return neighbours(1); });
}

std::vector<TuneWork> TuneProposer::kernels(std::size_t most) {
  std::vector<TuneWork> work;
  while (work.size() < most) {
    auto candidate = m_proposals % kOneInNeighbours == 0 ? std::nullopt : m_kernels.next(m_known);
    if (!candidate) break;
    ++m_proposals;
    m_known.insert(candidate->schedule.hash());
    work.push_back(workOf(std::move(*candidate), kKernels, m_fastest.front().schedule.hash()));
  }
  return work;
}

std::vector<TuneWork> TuneProposer::neighbours(std::size_t most) {
  const std::size_t turn = kParents[m_turn++ % kParents.size()];
  const schedule::Schedule parent = m_fastest[std::min(turn, m_fastest.size() - 1)].schedule;
  std::vector<TuneWork> work;
  for (Candidate &candidate : m_neighbours.around(parent, kWalks, most, m_known)) {
    m_known.insert(candidate.schedule.hash());
    work.push_back(workOf(std::move(candidate), kNeighbour, parent.hash()));
  }
  return work;
}

} // namespace tessera::tune
