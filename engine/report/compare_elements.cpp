// SPDX-License-Identifier: MIT
#include "engine/report/compare_elements.h"

#include "engine/report/element_differences.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace tessera::report {

namespace {

using pipeline::ScalarType;

// Of a float, the fewest digits that read back as the same value: "0.01", not "0.00999999978".
std::string printed(double value, ScalarType type) {
  std::array<char, 400> text;
  char *const begin = text.data(), *const limit = begin + text.size();
  const auto end = !isFloat(type) ? std::to_chars(begin, limit, value, std::chars_format::fixed, 0)
                   : type.bits <= 32 ? std::to_chars(begin, limit, static_cast<float>(value))
                                     : std::to_chars(begin, limit, value);
  return {begin, end.ptr};
}

std::vector<std::int64_t> coordinatesOf(std::uint64_t number, const ElementLayout &layout) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(number);
  for (const ElementLayout::Side &side : layout.sides) {
    at.push_back(side.min + rest % side.extent);
    rest /= side.extent;
  }
  return at;
}

// The counts of one of the ranges of elements that run in parallel.
struct Counts {
  std::int64_t different = 0, offByOne = 0, magnified = 0, undecided = 0, beyond = 0;
  std::optional<Difference> worst; // the first with the largest error
};

// Whether the user allows this difference, whatever the rule says.
bool isAllowed(const Difference &difference, const ElementRule &rule) {
  return rule.absolute && std::abs(difference.expected - difference.found) <= *rule.absolute;
}

// Whether the reference itself is so uncertain of this element that the difference says nothing
// about the schedule. Counts it if so.
bool isExcused(const Difference &difference, const ElementRule &rule,
               const Uncertainty &uncertainty, Counts &counts) {
  const double spread = uncertainty.spreadOf(difference.number), own = kSpread * spread;
  // How far a value goes that is chaotic, a few runs do not tell.
  const bool isChaotic = spread > rule.tolerance;
  if (difference.error > own && !isChaotic) return false;
  const bool isMagnified =
      rule.rule == ComparisonRule::Relative && own <= kMagnified * rule.tolerance;
  ++(isMagnified ? counts.magnified : counts.undecided);
  return true;
}

void count(const Difference &difference, const ElementRule &rule, const Uncertainty &uncertainty,
           Counts &counts) {
  ++counts.different;
  if (isAllowed(difference, rule)) {
    // Nothing else to count.
  } else if (difference.error > rule.tolerance) {
    if (isExcused(difference, rule, uncertainty, counts)) return;
    ++counts.beyond;
  } else if (rule.rule == ComparisonRule::WithinOne) {
    counts.offByOne += uncertainty.spreadOf(difference.number) == 0;
  }
  if (!counts.worst || difference.error > counts.worst->error) counts.worst = difference;
}

void add(const Counts &counts, const ElementLayout &layout, OutputComparison &result) {
  result.different += counts.different;
  result.offByOne += counts.offByOne;
  result.magnified += counts.magnified;
  result.undecided += counts.undecided;
  result.beyond += counts.beyond;
  if (!counts.worst) return;
  if (counts.worst->error <= result.worstError && !result.worstAt.empty()) return;
  result.worstError = counts.worst->error;
  result.worstAt = coordinatesOf(counts.worst->number, layout);
  result.expected = printed(counts.worst->expected, layout.type);
  result.found = printed(counts.worst->found, layout.type);
}

// Sets how many elements may be off. A few large errors do not make a schedule wrong: integers are
// off by more than one where a float fell on the other side of a threshold, and floats by more than
// the tolerance where a formula magnifies its roundings, such as a division by a small determinant.
// Where the reference's own runs show many such elements, no run shows all of them, and a GPU that
// rounds otherwise finds new ones.
void allow(const ElementRule &rule, const Uncertainty &uncertainty, OutputComparison &result) {
  const std::int64_t elements = result.elements;
  const bool isMagnified =
      rule.rule == ComparisonRule::Relative && result.worstError <= kMagnified * rule.tolerance;
  if (rule.rule == ComparisonRule::WithinOne || isMagnified)
    result.allowedBeyond = elements / 100'000;
  result.allowedBeyond += std::min(uncertainty.movedFar, elements / 100) / 4;
  result.allowedUndecided = elements / 100;
  if (rule.rule == ComparisonRule::WithinOne)
    result.allowedOffByOne = std::max(elements / 1000, 4 * uncertainty.moved) + 1;
  if (rule.absolute && *rule.absolute >= 1) result.allowedOffByOne = elements;
  if (!rule.share) return;
  const auto given = static_cast<std::int64_t>(*rule.share * static_cast<double>(elements));
  for (std::int64_t *allowed :
       {&result.allowedBeyond, &result.allowedUndecided, &result.allowedOffByOne})
    *allowed = std::max(*allowed, given);
}

} // namespace

OutputComparison compareElements(const std::uint8_t *expected, const std::uint8_t *found,
                                 const ElementLayout &layout, const ElementRule &rule,
                                 const Uncertainty &uncertainty) {
  const OutputSurvey survey = surveyOf(expected, layout);
  OutputComparison result;
  result.rule = rule.rule;
  result.tolerance = rule.tolerance;
  result.elements = layout.count();
  result.notNumbers = survey.notNumbers;
  result.isConstant = survey.isConstant && result.elements > 1;
  for (const ElementLayout::Side &side : layout.sides)
    result.begin.push_back(side.min);
  for (const Counts &counts :
       differences<Counts>(expected, found, layout, rule.rule, floorOf(survey, rule.rule),
                           [&](Counts &counts, const Difference &difference) {
                             count(difference, rule, uncertainty, counts);
                           }))
    add(counts, layout, result);
  allow(rule, uncertainty, result);
  return result;
}

std::vector<float> errorsOf(const std::uint8_t *expected, const std::uint8_t *found,
                            const ElementLayout &layout, const ElementRule &rule) {
  std::vector<float> errors(static_cast<std::size_t>(layout.count()));
  const double unit = rule.rule == ComparisonRule::Relative ? rule.tolerance : 1;
  const double beyond =
      rule.rule == ComparisonRule::Exact ? 1 : 0; // added, so that any error is > 1
  const double floor = floorOf(surveyOf(expected, layout), rule.rule);
  differences<char>(
      expected, found, layout, rule.rule, floor, [&](char &, const Difference &difference) {
        errors[difference.number] = static_cast<float>(difference.error / unit + beyond);
      });
  return errors;
}

} // namespace tessera::report
