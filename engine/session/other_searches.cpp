// SPDX-License-Identifier: MIT
#include "engine/session/other_searches.h"

#include "engine/cost/prediction.h"
#include "engine/search/algorithms.h"
#include "engine/search/other_rates.h"

#include <random>
#include <utility>

namespace tessera::session {

using search::Candidate;

OtherSearches::OtherSearches(std::string algorithm, search::Problem problem, std::size_t count,
                             std::chrono::steady_clock::time_point until)
    : m_algorithm(std::move(algorithm)), m_problem(std::move(problem)), m_count(count),
      m_until(until), m_thread([this](const std::stop_token &stop) { searchAll(stop); }) {}

std::vector<Candidate> OtherSearches::take() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_found, {});
}

void OtherSearches::searchAll(const std::stop_token &stop) {
  std::mt19937_64 random(m_problem.seed);
  const auto mayGoOn = [&] {
    return !stop.stop_requested() && std::chrono::steady_clock::now() < m_until;
  };
  for (std::size_t i = 0; i < m_count && mayGoOn(); ++i) {
    search::Problem problem = m_problem;
    problem.machine = search::withOtherRates(problem.machine, random);
    auto search = search::makeSearch(m_algorithm, std::move(problem));
    if (!search) break; // its name was checked before
    while (mayGoOn() && (*search)->step()) {
    }
    if (stop.stop_requested()) break;
    schedule::Schedule found = (*search)->best().schedule;
    const double seconds = cost::predict(found, m_problem.machine).seconds;
    const std::lock_guard lock(m_mutex);
    m_found.push_back({std::move(found), seconds});
  }
  m_isOver = true;
}

} // namespace tessera::session
