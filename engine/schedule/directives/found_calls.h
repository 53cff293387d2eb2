// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <string>
#include <vector>

namespace tessera::schedule {

// The scheduling calls of a file. `others` are calls that no directive can express.
struct FoundCalls {
  std::vector<Directive> directives;
  std::vector<std::string> others;
};

// Whether the calls only bound the computed regions. An algorithm may have such calls without being
// scheduled.
bool saysBoundsAlone(const FoundCalls &found);

// The calls of a scheduled file that are not in `algorithm`, the same file without its schedule.
// Calls that are in both belong to the algorithm and are left out.
FoundCalls beyond(const FoundCalls &algorithm, FoundCalls scheduled);

} // namespace tessera::schedule
