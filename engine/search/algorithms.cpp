// SPDX-License-Identifier: MIT
#include "engine/search/algorithms.h"

#include "engine/search/auto_search.h"

#include <array>

namespace tessera::search {

namespace {

constexpr std::array kAlgorithms{
    Algorithm{"auto", "Tessera's own: places, tiles and registers by its cost model"},
};

} // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

Result<std::unique_ptr<Search>> makeSearch(std::string_view algorithm, Problem problem) {
  if (algorithm == "auto")
    return std::unique_ptr<Search>(std::make_unique<AutoSearch>(std::move(problem)));
  std::string known;
  for (const Algorithm &one : kAlgorithms)
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  return Error{ErrorCode::Usage, "no algorithm is called '" + std::string(algorithm) + "'",
               "there are: " + known};
}

} // namespace tessera::search
