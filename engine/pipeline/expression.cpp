// SPDX-License-Identifier: MIT
#include "engine/pipeline/expression.h"

#include <algorithm>
#include <array>

namespace tessera::pipeline {
namespace {

constexpr std::array<std::string_view, kNodeKinds> kNodeNames{
    "constant",  "cast",       "variable",      "parameter", "add",        "subtract",
    "modulo",    "multiply",   "divide",        "min",       "max",        "equal",
    "not_equal", "less",       "less_or_equal", "and",       "or",         "not",
    "select",    "input_call", "func_call",     "self_call", "other_call", "let"};
static_assert(static_cast<std::size_t>(NodeKind::Let) + 1 == kNodeKinds);

} // namespace

std::string_view name(NodeKind kind) { return kNodeNames[static_cast<std::size_t>(kind)]; }

std::optional<NodeKind> nodeKindFromName(std::string_view name) {
  const auto found = std::ranges::find(kNodeNames, name);
  if (found == kNodeNames.end()) return std::nullopt;
  return static_cast<NodeKind>(found - kNodeNames.begin());
}

} // namespace tessera::pipeline
