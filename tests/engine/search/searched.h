// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/search.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tessera::search::testing {

// A search that was driven to its end, with what it said on the way.
struct Searched {
  Candidate best;
  std::vector<Candidate> candidates;
  std::size_t evaluations = 0, mostInAStep = 0;
  std::vector<std::string_view> phases; // each once, in the order of their beginnings
  std::vector<double> progress;         // after each step, the last when it is done
  double startSeconds = 0;
};

// Drives one that is made by name; throws where there is none, or where it takes unreasonably long.
Searched searched(Problem problem, std::string_view algorithm = "auto");
// From the default schedule of a pipeline as tests/engine/pipeline/sketch.h has it.
Searched searched(std::string_view pipeline);

} // namespace tessera::search::testing
