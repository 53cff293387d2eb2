// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"
#include "engine/search/search.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string_view>

namespace tessera::tune {

// What a search brought, also one that was stopped: its best until then is as legal as any.
struct SearchRun {
  search::Candidate best;
  double seconds = 0;         // that the search took
  std::size_t candidates = 0; // each better than all before
  std::size_t evaluations = 0;
  bool cancelled = false;
};

using CandidateCallback = std::function<void(const search::Candidate &)>;

// Drives a search to its end, or until it is stopped, which it notices between two steps. Blocks;
// both callbacks are called in this thread and may be empty. Progress comes ten times a second at
// most, with the best so far; `better` is told each candidate as soon as it is found.
//
// Refuses an algorithm that there is not, and a start that is not legal on the machine.
Result<SearchRun> runSearch(std::string_view algorithm, search::Problem problem,
                            const std::stop_token &stop, const job::ProgressCallback &progress,
                            const CandidateCallback &better = {});

} // namespace tessera::tune
