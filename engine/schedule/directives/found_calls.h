// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <string>
#include <vector>

namespace tessera::schedule {

// What a file says of how it is computed. `others` are calls that no directive stands for.
struct FoundCalls {
  std::vector<Directive> directives;
  std::vector<std::string> others;
};

// Whether it says no more than which region is computed: bounds, which an algorithm may have
// without being scheduled.
bool saysBoundsAlone(const FoundCalls &found);

// What a scheduled file says beyond `algorithm`, the same file unscheduled. Calls that stand in
// both are not the schedule's: they stay where they are.
FoundCalls beyond(const FoundCalls &algorithm, FoundCalls scheduled);

} // namespace tessera::schedule
