// SPDX-License-Identifier: MIT
#include "engine/tune/other_searches.h"

#include "engine/cost/prediction.h"
#include "engine/search/algorithms.h"
#include "engine/search/tuning/other_rates.h"

#include <random>
#include <utility>

namespace tessera::tune {

using search::Candidate;

namespace {

// Runs `count` searches, each for a machine with other rates, and reports the best candidate of
// each to `found`. As soon as `mayGoOn` returns false, the running search ends, its best candidate
// so far is reported, and no other search starts.
template <typename MayGoOn, typename Found>
void searchAll(const std::string &algorithm, const search::Problem &asItIs, std::size_t count,
               const MayGoOn &mayGoOn, const Found &found) {
  std::mt19937_64 random(asItIs.seed);
  for (std::size_t i = 0; i < count && mayGoOn(); ++i) {
    search::Problem problem = asItIs;
    problem.machine = search::withOtherRates(problem.machine, random);
    auto search = search::makeSearch(algorithm, std::move(problem));
    if (!search) return; // cannot happen: the name was checked before
    while (mayGoOn() && (*search)->step()) {
    }
    schedule::Schedule best = (*search)->best().schedule;
    const double seconds = cost::predict(best, asItIs.machine).seconds;
    found(Candidate{std::move(best), seconds});
  }
}

} // namespace

std::vector<Candidate> searchedOtherwise(const std::string &algorithm,
                                         const search::Problem &problem, std::size_t count,
                                         const std::stop_token &stop,
                                         const job::ProgressCallback &progress) {
  std::vector<Candidate> all;
  const auto tell = [&] {
    if (progress)
      progress({"searching schedules for GPUs with other rates, " + std::to_string(all.size()) +
                    " of " + std::to_string(count) + " done",
                static_cast<double>(all.size()) / static_cast<double>(count)});
  };
  tell();
  searchAll(
      algorithm, problem, count, [&] { return !stop.stop_requested(); },
      [&](Candidate found) {
        all.push_back(std::move(found));
        tell();
      });
  return all;
}

OtherSearches::OtherSearches(std::string algorithm, search::Problem problem, std::size_t count,
                             std::chrono::steady_clock::time_point until)
    : m_thread([this, algorithm = std::move(algorithm), problem = std::move(problem), count,
                until](const std::stop_token &stop) {
        searchAll(
            algorithm, problem, count,
            [&] { return !stop.stop_requested() && std::chrono::steady_clock::now() < until; },
            [this](Candidate found) {
              const std::lock_guard lock(m_mutex);
              m_found.push_back(std::move(found));
            });
        m_isOver = true;
      }) {}

std::vector<Candidate> OtherSearches::take() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_found, {});
}

} // namespace tessera::tune
