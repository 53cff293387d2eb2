// SPDX-License-Identifier: MIT
#include "engine/pipeline/stage.h"

#include <algorithm>

namespace tessera::pipeline {
namespace {

constexpr std::array<std::string_view, kOpKinds> kOpNames{
    "add",   "multiply", "divide", "modulo",         "minmax",     "compare",
    "logic", "select",   "cast",   "transcendental", "other_call", "load"};

} // namespace

std::string_view name(OpKind kind) { return kOpNames[static_cast<std::size_t>(kind)]; }

std::optional<OpKind> opKindFromName(std::string_view name) {
  const auto found = std::find(kOpNames.begin(), kOpNames.end(), name);
  if (found == kOpNames.end()) return std::nullopt;
  return static_cast<OpKind>(found - kOpNames.begin());
}

} // namespace tessera::pipeline
