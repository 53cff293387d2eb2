// SPDX-License-Identifier: MIT
#include "engine/tune/search_run.h"

#include "engine/schedule/rules/legality.h"
#include "engine/search/algorithms.h"

#include <chrono>
#include <cmath>
#include <iomanip>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds kProgressInterval{100};

job::Progress progressOf(const search::Search &search) {
  std::ostringstream text;
  text << search.phase() << " " << static_cast<int>(search.progress() * 100) << " %, best "
       << std::setprecision(3) << search.best().seconds * 1e3 << " ms";
  return {text.str(), search.progress()};
}

} // namespace

Verdict verdictOn(double foundSeconds, double currentSeconds) {
  constexpr double kRounding = 1e-9;
  if (std::abs(foundSeconds - currentSeconds) <= kRounding * currentSeconds) return Verdict::Same;
  return foundSeconds < currentSeconds ? Verdict::Faster : Verdict::Slower;
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Faster:
    return "faster";
  case Verdict::Same:
    return "same";
  case Verdict::Slower:
    break;
  }
  return "slower";
}

Result<SearchRun> runSearch(std::string_view algorithm, search::Problem problem,
                            const std::stop_token &stop, const job::ProgressCallback &progress,
                            const CandidateCallback &better) {
  if (const auto violations = schedule::check(problem.start, problem.machine); !violations.empty())
    return Error{ErrorCode::InputRefused,
                 "the schedule to start from is not legal: " + violations.front().message,
                 violations.front().hint()};
  const auto start = Clock::now();
  const auto made = search::makeSearch(algorithm, std::move(problem));
  if (!made) return made.error();
  SearchRun run = runSearch(**made, stop, progress, better);
  run.seconds = Seconds(Clock::now() - start).count(); // with what the search did when it was made
  return run;
}

SearchRun runSearch(search::Search &search, const std::stop_token &stop,
                    const job::ProgressCallback &progress, const CandidateCallback &better) {
  const auto start = Clock::now();
  std::size_t candidates = 0;
  const auto takeCandidates = [&] {
    for (const search::Candidate &candidate : search.takeCandidates()) {
      ++candidates;
      if (better) better(candidate);
    }
  };
  std::optional<Clock::time_point> told;
  while (!stop.stop_requested() && search.step()) {
    takeCandidates();
    if (!progress || (told && Clock::now() - *told < kProgressInterval)) continue;
    told = Clock::now();
    progress(progressOf(search));
  }
  takeCandidates();
  return SearchRun{search.best(),
                   Seconds(Clock::now() - start).count(),
                   candidates,
                   search.evaluations(),
                   stop.stop_requested(),
                   search.remarks(),
                   search.kernelCosts(),
                   search.trace()};
}

} // namespace tessera::tune
