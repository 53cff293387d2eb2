// SPDX-License-Identifier: MIT
#include "tests/engine/search/searched.h"

#include "engine/search/algorithms.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::search::testing {

Searched searched(Problem problem, std::string_view algorithm) {
  constexpr std::size_t kMostSteps = 100'000;
  const double startSeconds = cost::predict(problem.start, problem.machine).seconds;
  auto made = makeSearch(algorithm, std::move(problem));
  if (!made) throw std::invalid_argument(made.error().message);
  Search &search = **made;
  Searched found{search.best(), {}, search.evaluations(), 0, {}, {}, startSeconds};
  bool isGoing = true;
  while (isGoing) {
    if (found.progress.size() > kMostSteps) throw std::runtime_error("it does not end");
    if (found.phases.empty() || found.phases.back() != search.phase())
      found.phases.push_back(search.phase());
    isGoing = search.step();
    found.mostInAStep = std::max(found.mostInAStep, search.evaluations() - found.evaluations);
    found.evaluations = search.evaluations();
    found.progress.push_back(search.progress());
    for (Candidate &candidate : search.takeCandidates())
      found.candidates.push_back(std::move(candidate));
  }
  if (found.phases.back() != search.phase()) found.phases.push_back(search.phase());
  found.best = search.best();
  found.trace = search.trace();
  return found;
}

Searched searched(std::string_view pipeline) {
  return searched({schedule::defaultSchedule(pipeline::test::sketch(pipeline)), {}});
}

} // namespace tessera::search::testing
