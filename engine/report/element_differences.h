// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_layout.h"
#include "engine/report/verify_report.h"
#include "engine/pipeline/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace tessera::report {

// How the elements of two outputs are walked. Only comparisons of outputs include this header.

inline bool isFloat(pipeline::ScalarType type) {
  return type.kind == pipeline::TypeKind::Float || type.kind == pipeline::TypeKind::BFloat;
}

struct Difference {
  std::uint64_t number; // index of the element
  double expected, found;
  double error; // in the unit of the rule; infinite where only one of the values is a number
};

// How many values are decoded at once: few enough to stay in the cache.
inline constexpr std::size_t kDecodedAtOnce = 256;
using DecodedElements = std::array<double, kDecodedAtOnce>;

// Calls `visit(begin, count)` for each piece of a run that is decoded at once.
template <typename Visit>
void forEachPiece(const ElementRun &run, const Visit &visit) {
  for (std::uint64_t begin = 0; begin < run.count; begin += kDecodedAtOnce)
    visit(begin,
          static_cast<std::size_t>(std::min<std::uint64_t>(kDecodedAtOnce, run.count - begin)));
}

// What the expected output is like, whatever it is compared with.
struct OutputSurvey {
  double largest = 0;          // the largest finite magnitude
  std::int64_t notNumbers = 0; // elements that are NaN
  bool isConstant = true;      // every element has the bytes of the first
};
OutputSurvey surveyOf(const std::uint8_t *expected, const ElementLayout &layout);

// The error of an element. `floor`: the least value by which a relative error is divided.
double errorOf(double expected, double found, ComparisonRule rule, double floor);
// A tenth of the largest expected magnitude: without it, errors of values near 0 would be huge.
double floorOf(const OutputSurvey &survey, ComparisonRule rule);

// Calls `visit(made, difference)` for each element whose values differ, where NaN equals any other
// NaN and 0 equals -0. Ranges of elements run in parallel; each collects its result in its own
// `made`. Returns these results in the order of the ranges.
template <typename Made, typename Visit>
std::vector<Made> differences(const std::uint8_t *expected, const std::uint8_t *found,
                              const ElementLayout &layout, ComparisonRule rule, double floor,
                              const Visit &visit) {
  const pipeline::ScalarType type = layout.type;
  const auto size = static_cast<std::size_t>(type.bytes());
  // 64-bit integers that differ may be equal as doubles, so their error counts as at least 1.
  const double least = isFloat(type) ? 0 : 1;
  return byRuns<Made>(layout, [&](Made &made, const ElementRun &run) {
    forEachPiece(run, [&](std::uint64_t begin, std::size_t count) {
      const std::uint8_t *a = expected + run.offset + begin * size;
      const std::uint8_t *b = found + run.offset + begin * size;
      if (std::memcmp(a, b, count * size) == 0) return;
      DecodedElements wanted, had;
      pipeline::numbersAt(a, type, count, wanted.data());
      pipeline::numbersAt(b, type, count, had.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double want = wanted[i], have = had[i];
        if (want == have && (isFloat(type) || std::memcmp(a + i * size, b + i * size, size) == 0))
          continue;
        const double error = errorOf(want, have, rule, floor);
        if (error == 0 && isFloat(type)) continue; // both values are NaN, which counts as equal
        visit(made, Difference{run.number + begin + i, want, have, std::max(error, least)});
      }
    });
  });
}

} // namespace tessera::report
