// SPDX-License-Identifier: MIT
#include "engine/report/element_differences.h"

namespace tessera::report {

namespace {

struct SurveyedPart {
  double largest = 0;
  std::int64_t notNumbers = 0;
  bool isConstant = true;
};

} // namespace

OutputSurvey surveyOf(const std::uint8_t *expected, const ElementLayout &layout) {
  const auto size = static_cast<std::size_t>(layout.type.bytes());
  const bool isOfFloats = isFloat(layout.type);
  OutputSurvey survey;
  for (const SurveyedPart &part :
       byRuns<SurveyedPart>(layout, [&](SurveyedPart &made, const ElementRun &run) {
         forEachPiece(run, [&](std::uint64_t begin, std::size_t count) {
           const std::uint8_t *first = expected + run.offset + begin * size;
           for (std::size_t i = 0; i < count && made.isConstant; ++i)
             made.isConstant = std::memcmp(first + i * size, expected, size) == 0;
           if (!isOfFloats) return;
           DecodedElements numbers;
           pipeline::numbersAt(first, layout.type, count, numbers.data());
           for (std::size_t i = 0; i < count; ++i) {
             const double value = std::abs(numbers[i]);
             made.notNumbers += std::isnan(value);
             if (std::isfinite(value)) made.largest = std::max(made.largest, value);
           }
         });
       })) {
    survey.largest = std::max(survey.largest, part.largest);
    survey.notNumbers += part.notNumbers;
    survey.isConstant = survey.isConstant && part.isConstant;
  }
  return survey;
}

double errorOf(double expected, double found, ComparisonRule rule, double floor) {
  if (std::isnan(expected) && std::isnan(found)) return 0;
  if (expected == found) return 0; // includes equal infinities
  const double error = std::abs(expected - found);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  return rule == ComparisonRule::Relative ? error / std::max(std::abs(expected), floor) : error;
}

double floorOf(const OutputSurvey &survey, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return 0;
  return std::max(survey.largest / 10, std::numeric_limits<double>::min());
}

} // namespace tessera::report
