// SPDX-License-Identifier: MIT
#include "engine/learn/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tessera::learn {

namespace {

std::vector<std::size_t> orderOf(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

std::vector<double> ranksOf(std::span<const double> values) {
  const std::vector<std::size_t> order = orderOf(values);
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && values[order[end]] == values[order[first]])
      ++end;
    const double mean = static_cast<double>(first + end - 1) / 2;
    for (std::size_t i = first; i < end; ++i)
      ranks[order[i]] = mean;
  }
  return ranks;
}

} // namespace

double rankCorrelation(std::span<const double> predicted, std::span<const double> measured) {
  const std::vector<double> a = ranksOf(predicted), b = ranksOf(measured);
  const double mean = (static_cast<double>(a.size()) - 1) / 2;
  double both = 0, ofA = 0, ofB = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    ofA += (a[i] - mean) * (a[i] - mean);
    ofB += (b[i] - mean) * (b[i] - mean);
  }
  return ofA > 0 && ofB > 0 ? both / std::sqrt(ofA * ofB) : 0;
}

double bestOf(std::size_t count, std::span<const double> predicted,
              std::span<const double> measured) {
  if (measured.empty()) return 1;
  const std::vector<std::size_t> order = orderOf(predicted);
  double best = measured[order.front()];
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i)
    best = std::min(best, measured[order[i]]);
  return best / *std::ranges::min_element(measured);
}

} // namespace tessera::learn
