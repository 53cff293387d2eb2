// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/search/parameters.h"

#include <string>

namespace tessera::tune {

// A search algorithm as a candidate of a comparison, perhaps with values for its parameters:
// "autogpu", "autogpu:PRESET=artifact", "mullapudi:LOAD_COST=20;PARALLELISM_THRESHOLD=64".
struct AlgorithmWord {
  std::string algorithm;
  search::ParameterValues parameters;
};

// Whether an algorithm stands before the colon.
bool namesAlgorithm(const std::string &word);
// Reads such a word. Fails for a parameter or value that the algorithm does not have.
Result<AlgorithmWord> algorithmWord(const std::string &word);

} // namespace tessera::tune
