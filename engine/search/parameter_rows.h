// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/parameters.h"

#include <array>
#include <cstddef>

namespace tessera::search {

// The parameters in a table whose rows have one each, beside what an algorithm does with it.
template <typename Row, std::size_t N>
constexpr std::array<Parameter, N> parametersIn(const std::array<Row, N> &rows) {
  std::array<Parameter, N> parameters{};
  for (std::size_t i = 0; i < N; ++i)
    parameters[i] = rows[i].parameter;
  return parameters;
}

} // namespace tessera::search
