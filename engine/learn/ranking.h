// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace tessera::learn {

// How well predictions rank what was measured: Spearman's coefficient, 1 for the same order and -1
// for the opposite one. Equal values share the mean of their ranks. 0 if all values of a side are
// equal, or if there are fewer than two.
double rankCorrelation(std::span<const double> predicted, std::span<const double> measured);

// The least measured value among the `count` with the lowest prediction, divided by the least of
// all. 1 if there is nothing.
double bestOf(std::size_t count, std::span<const double> predicted,
              std::span<const double> measured);

} // namespace tessera::learn
