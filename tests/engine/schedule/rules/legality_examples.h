// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/legality.h"

#include <iosfwd>
#include <vector>

namespace tessera::schedule::testing {

// The smallest schedule that a rule refuses, and the nearest schedule that it accepts. `refused`
// and `accepted` are directives. `decision` is written as FUNC.STAGE KIND AXIS.
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

// There is at least one example for every rule that directives can break.
const std::vector<Example> &legalityExamples();
// The examples of rules that need many. They are also in legalityExamples().
const std::vector<Example> &externExamples();
const std::vector<Example> &frameExamples();
const std::vector<Example> &laneExamples();
const std::vector<Example> &sizeExamples();
const std::vector<Example> &tailExamples();

} // namespace tessera::schedule::testing
