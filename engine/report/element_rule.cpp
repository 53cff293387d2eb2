// SPDX-License-Identifier: MIT
#include "engine/report/element_rule.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera::report {

namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;

constexpr std::array<std::string_view, 3> kInfluences{"none", "decides", "rounded"};

} // namespace

std::string_view name(FloatInfluence influence) {
  return kInfluences[static_cast<std::size_t>(influence)];
}

std::optional<FloatInfluence> floatInfluenceFrom(std::string_view word) {
  const auto *const at = std::ranges::find(kInfluences, word);
  if (at == kInfluences.end()) return std::nullopt;
  return static_cast<FloatInfluence>(at - kInfluences.begin());
}

ComparisonRule ruleFor(ScalarType type, FloatInfluence floats) {
  if (type.kind == TypeKind::Float || type.kind == TypeKind::BFloat)
    return ComparisonRule::Relative;
  const bool isBool = type.bits == 1;
  return floats == FloatInfluence::Rounded && !isBool ? ComparisonRule::WithinOne
                                                      : ComparisonRule::Exact;
}

double toleranceFor(ScalarType type, ComparisonRule rule) {
  if (rule != ComparisonRule::Relative) return rule == ComparisonRule::WithinOne ? 1 : 0;
  if (type.kind == TypeKind::BFloat) return 0.05;
  if (type.bits == 16) return 0.01;
  return type.bits == 32 ? 1e-4 : 1e-12;
}

ElementRule elementRuleFor(ScalarType type, ComparisonRule rule, const GivenTolerance &given) {
  ElementRule made{rule, toleranceFor(type, rule), given.absolute, given.share};
  if (rule == ComparisonRule::Relative && given.relative) made.tolerance = *given.relative;
  return made;
}

} // namespace tessera::report
