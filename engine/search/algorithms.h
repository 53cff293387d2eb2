// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/search/search.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tessera::search {

struct Algorithm {
  std::string_view name;        // as in --algorithm
  std::string_view description; // a line for a person
};

// All that can be chosen, the default first.
std::span<const Algorithm> algorithms();

// Refuses an unknown name, naming those that there are.
Result<std::unique_ptr<Search>> makeSearch(std::string_view algorithm, Problem problem);

} // namespace tessera::search
