// SPDX-License-Identifier: MIT
#include "engine/report/uncertainty.h"

#include "engine/report/element_differences.h"

#include <algorithm>
#include <utility>

namespace tessera::report {

namespace {

struct MovedElements {
  Elements elements;
  std::vector<double> errors;
  std::int64_t moved = 0, far = 0;
};

void append(MovedElements &all, const MovedElements &part) {
  all.elements.insert(all.elements.end(), part.elements.begin(), part.elements.end());
  all.errors.insert(all.errors.end(), part.errors.begin(), part.errors.end());
  all.moved += part.moved;
  all.far += part.far;
}

} // namespace

void Uncertainty::add(const std::uint8_t *expected, const std::uint8_t *found,
                      const ElementLayout &layout, const ElementRule &rule) {
  const double floor = floorOf(surveyOf(expected, layout), rule.rule);
  const bool isOfFloats = rule.rule == ComparisonRule::Relative;
  MovedElements run;
  for (const MovedElements &part :
       differences<MovedElements>(expected, found, layout, rule.rule, floor,
                                  [&](MovedElements &made, const Difference &difference) {
                                    made.moved += !isOfFloats;
                                    made.far += difference.error > rule.tolerance;
                                    if (kSpread * difference.error <= rule.tolerance) return;
                                    made.elements.push_back(difference.number);
                                    made.errors.push_back(difference.error);
                                  }))
    append(run, part);
  ++runs;
  moved = std::max(moved, run.moved);
  movedFar = std::max(movedFar, run.far);

  // Both lists are in ascending order: merges them, and keeps the larger spread of each element.
  Elements merged;
  std::vector<double> widest;
  std::size_t a = 0, b = 0;
  while (a < elements.size() || b < run.elements.size()) {
    const bool takesA =
        b == run.elements.size() || (a < elements.size() && elements[a] <= run.elements[b]);
    const bool takesB =
        a == elements.size() || (b < run.elements.size() && run.elements[b] <= elements[a]);
    merged.push_back(takesA ? elements[a] : run.elements[b]);
    widest.push_back(std::max(takesA ? spreads[a] : 0, takesB ? run.errors[b] : 0));
    a += takesA;
    b += takesB;
  }
  elements = std::move(merged);
  spreads = std::move(widest);
}

double Uncertainty::spreadOf(std::uint64_t element) const {
  const auto at = std::ranges::lower_bound(elements, element);
  if (at == elements.end() || *at != element) return 0;
  return spreads[static_cast<std::size_t>(at - elements.begin())];
}

} // namespace tessera::report
