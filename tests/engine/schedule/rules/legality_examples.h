// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/legality.h"

#include <iosfwd>
#include <vector>

namespace tessera::schedule::testing {

// Of a rule the smallest schedule that it refuses, and the nearest that is accepted.
// `refused` and `accepted` are directives. The decision is FUNC.STAGE KIND AXIS.
struct Example {
  Rule rule;
  const char *pipeline;
  const char *refused;
  const char *decision;
  const char *message;
  const char *allowed;
  const char *accepted;
};

void PrintTo(const Example &example, std::ostream *out);

// At least one of every rule that directives can break.
const std::vector<Example> &legalityExamples();
// Among all, those of rules that need many.
const std::vector<Example> &frameExamples();
const std::vector<Example> &tailExamples();

} // namespace tessera::schedule::testing
