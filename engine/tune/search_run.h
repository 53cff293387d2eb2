// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"
#include "engine/search/search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

// The result of a search. If the search was stopped, `best` is the best candidate until then, and
// is legal too.
struct SearchRun {
  search::Candidate best;
  double seconds = 0;         // duration of the search
  std::size_t candidates = 0; // number of candidates that were each better than all earlier ones
  std::size_t evaluations = 0;
  bool cancelled = false;
  std::vector<std::string> remarks = {};      // of the search about its result
  std::vector<search::KernelCost> costs = {}; // of its kernels, by the algorithm's own model
  search::Trace trace = {};                   // if the problem asks for it
};

// Whether the schedule that a search found is faster than the current one, by their predicted
// times. Times that differ only by rounding count as the same.
enum class Verdict : std::uint8_t { Faster, Same, Slower };
Verdict verdictOn(double foundSeconds, double currentSeconds);
std::string_view name(Verdict verdict); // "faster"

using CandidateCallback = std::function<void(const search::Candidate &)>;

// Runs a search to its end, or until it is stopped, which takes effect between two steps. Blocks;
// both callbacks are called in this thread and may be empty. Progress comes at most ten times a
// second, with the best so far; `better` gets each better candidate as soon as it is found.
//
// Fails for an unknown algorithm, and for a start that is not legal on the machine.
Result<SearchRun> runSearch(std::string_view algorithm, search::Problem problem,
                            const std::stop_token &stop, const job::ProgressCallback &progress,
                            const CandidateCallback &better = {});
// The same for a search that was made already, whose start has to be legal.
SearchRun runSearch(search::Search &search, const std::stop_token &stop,
                    const job::ProgressCallback &progress, const CandidateCallback &better = {});

} // namespace tessera::tune
