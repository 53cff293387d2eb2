// SPDX-License-Identifier: MIT
#include "engine/search/staged_search.h"

#include "engine/cost/prediction.h"
#include "engine/search/copies.h"

#include <algorithm>
#include <utility>

namespace tessera::search {

using pipeline::FuncId;

namespace {

constexpr std::size_t kMostCopies = 64; // each is a func more, and a pipeline to derive
constexpr double kPartOfPlaces = 0.6;   // of the progress

// The outputs of the kernels, those that take longest first.
std::vector<FuncId> byTime(const schedule::Schedule &schedule, const machine::Machine &machine) {
  cost::Prediction prediction = cost::predict(schedule, machine);
  std::ranges::stable_sort(prediction.kernels, std::greater<>{},
                           [](const auto &kernel) { return kernel.time.seconds; });
  std::vector<FuncId> outputs;
  for (const auto &kernel : prediction.kernels)
    outputs.push_back(schedule.pipeline()->stage(kernel.load.stage).func);
  return outputs;
}

} // namespace

StagedSearch::StagedSearch(Problem problem)
    : m_problem(problem), m_places(std::move(problem)), m_best(m_places.best()) {
  take(m_places);
}

bool StagedSearch::step() {
  if (m_isDone) return false;
  AutoSearch &now = m_copies ? *m_copies : m_places;
  const bool goesOn = now.step();
  take(now);
  m_isDone = !goesOn && (m_copies || !beginCopies());
  return !m_isDone;
}

bool StagedSearch::beginCopies() {
  // Near some funcs nothing is added; the copies that the start has are funcs as any other.
  if (!m_problem.around.empty() || m_places.evaluations() >= m_problem.evaluations) return false;
  Problem problem = m_problem;
  WithCopies copied =
      withCopies(m_best.schedule, byTime(m_best.schedule, m_problem.machine), kMostCopies);
  if (copied.readers.empty()) return false;
  problem.start = std::move(copied.schedule);
  problem.around = std::move(copied.readers);
  problem.evaluations -= m_places.evaluations();
  m_copies = std::make_unique<AutoSearch>(std::move(problem));
  return true;
}

void StagedSearch::take(AutoSearch &search) {
  for (Candidate &candidate : search.takeCandidates()) {
    if (&search == m_copies.get()) {
      candidate.schedule = withoutIdleCopies(candidate.schedule);
      candidate.seconds = cost::predict(candidate.schedule, m_problem.machine).seconds;
    }
    if (candidate.seconds >= m_best.seconds && candidate.schedule != m_best.schedule) continue;
    m_best = candidate;
    m_fresh.push_back(std::move(candidate));
  }
}

std::vector<Candidate> StagedSearch::takeCandidates() { return std::exchange(m_fresh, {}); }

std::string_view StagedSearch::phase() const {
  if (m_isDone) return "done";
  return m_copies ? "copies" : m_places.phase();
}

double StagedSearch::progress() const {
  if (m_isDone) return 1;
  return m_copies ? kPartOfPlaces + (1 - kPartOfPlaces) * m_copies->progress()
                  : kPartOfPlaces * m_places.progress();
}

std::size_t StagedSearch::evaluations() const {
  return m_places.evaluations() + (m_copies ? m_copies->evaluations() : 0);
}

} // namespace tessera::search
