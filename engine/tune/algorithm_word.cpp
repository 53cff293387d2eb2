// SPDX-License-Identifier: MIT
#include "engine/tune/algorithm_word.h"

#include "engine/search/algorithms.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::tune {

bool namesAlgorithm(const std::string &word) {
  const std::string name = word.substr(0, word.find(':'));
  return std::ranges::find(search::algorithms(), name, &search::Algorithm::name) !=
         search::algorithms().end();
}

Result<AlgorithmWord> algorithmWord(const std::string &word) {
  const std::size_t colon = word.find(':');
  AlgorithmWord found{word.substr(0, colon), {}};
  if (colon == std::string::npos) return found;
  std::vector<std::pair<std::string, std::string>> given;
  for (std::size_t from = colon + 1; from <= word.size();) {
    const std::size_t to = std::min(word.find(';', from), word.size());
    const std::string one = word.substr(from, to - from);
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorCode::Usage, "'" + one + "' in '" + word + "' is not a parameter.",
                   "Write NAME=VALUE, and a semicolon between several."};
    given.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    from = to + 1;
  }
  auto values =
      search::parameterValues(search::parametersOf(found.algorithm), found.algorithm, given);
  if (!values) return values.error();
  found.parameters = std::move(*values);
  return found;
}

} // namespace tessera::tune
