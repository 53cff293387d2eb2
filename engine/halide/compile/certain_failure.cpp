// SPDX-License-Identifier: MIT
#include "engine/halide/compile/certain_failure.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <string_view>
#include <utility>

namespace tessera::halide {

void FailureWatch::warning(const char *text) {
  constexpr std::string_view kFails = "guaranteed to fail an assertion at runtime:";
  const std::string_view warning = text;
  const std::size_t at = warning.find(kFails);
  if (at == std::string_view::npos) {
    std::cerr << text;
    return;
  }
  std::string check(warning.substr(at + kFails.size()));
  std::ranges::replace(check, '\n', ' ');
  const std::size_t first = check.find_first_not_of(' '), last = check.find_last_not_of(' ');
  if (m_failure.empty() && first != std::string::npos)
    m_failure = check.substr(first, last + 1 - first);
}

std::size_t kernelStages(std::span<const schedule::Directive> directives) {
  using schedule::Verb;
  std::set<std::pair<std::string, std::uint32_t>> stages;
  for (const schedule::Directive &directive : directives)
    if (directive.verb == Verb::GpuBlocks || directive.verb == Verb::GpuSingleThread)
      stages.emplace(directive.func, directive.stage);
  return stages.size();
}

} // namespace tessera::halide
