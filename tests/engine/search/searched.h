// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/search.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tessera::search::testing {

// A search that has run to its end, and what it reported on the way.
struct Searched {
  Candidate best;
  std::vector<Candidate> candidates;
  std::size_t evaluations = 0, mostInAStep = 0;
  std::vector<std::string_view> phases; // each phase once, in the order of first appearance
  std::vector<double> progress;         // after each step of the search, and at the end
  double startSeconds = 0;
  Trace trace = {};
};

// Runs the search with this name. Throws if no search has that name, or if it takes unreasonably
// long.
Searched searched(Problem problem, std::string_view algorithm = "auto");
// Starts from the default schedule of a pipeline in the notation of tests/engine/pipeline/sketch.h.
Searched searched(std::string_view pipeline);

} // namespace tessera::search::testing
