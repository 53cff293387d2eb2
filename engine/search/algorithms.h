// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/search.h"
#include "engine/base/result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tessera::search {

struct Algorithm {
  std::string_view name;                      // the value of --algorithm
  std::string_view description;               // one line for the user
  const ParameterTable *parameters = nullptr; // what Problem::parameters may have; null: nothing
};

// All available algorithms, the default first.
std::span<const Algorithm> algorithms();

// Fails for an unknown name, with an error that lists the known ones.
Result<const Algorithm *> algorithmNamed(std::string_view name);
// The parameters that an algorithm of this name has; empty for an unknown name.
const ParameterTable &parametersOf(std::string_view name);

// Fails for an unknown name, with an error that lists the known ones.
Result<std::unique_ptr<Search>> makeSearch(std::string_view algorithm, Problem problem);

} // namespace tessera::search
