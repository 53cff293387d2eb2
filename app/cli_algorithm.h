// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/search/parameters.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tessera::app {

// Adds --algorithm with the description `described`, and --freeze. The help of --param and of the
// command then says which parameters the algorithms have.
void addAlgorithmOptions(CLI::App &command, const std::string &described, std::string &algorithm,
                         std::string &frozen);

// Takes from the values of --param those that belong to an algorithm, and leaves those of the
// generator. A name belongs to an algorithm if any of them has a parameter of that name. Fails for
// an unknown algorithm, a parameter of another one, and a value that is out of range.
Result<search::ParameterValues> takeAlgorithmParameters(const std::string &algorithm,
                                                        std::vector<std::string> &parameters);

// The error with which a file could not be opened. If it was given parameters that may have been
// meant for the algorithm, the hint also says which ones the algorithm has.
Error withAlgorithmParameters(Error error, const std::string &algorithm,
                              const std::vector<std::string> &parameters);

// The values by name: numbers, and words where a parameter has words.
nlohmann::ordered_json parametersJson(const std::string &algorithm,
                                      const search::ParameterValues &values);

} // namespace tessera::app
