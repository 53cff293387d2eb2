// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/promise.h"
#include "engine/schedule/words/directive.h"

#include <string>
#include <vector>

namespace tessera::schedule {

// A call that no directive can express, as text.
struct OtherCall {
  std::string text;
  // False: without it, the schedule computes the same in the same loops. It promises a size, makes
  // a variant for a special case, or is a hint.
  bool makesLoops = true;

  friend bool operator==(const OtherCall &, const OtherCall &) = default;
};

// The scheduling calls of a file, and what its generator demands of the buffers beside them.
struct FoundCalls {
  std::vector<Directive> directives;
  std::vector<OtherCall> others;
  std::vector<report::Promise> promises;
  std::vector<std::string> unsaidPromises; // expressions, as calls
};

// Whether the calls only bound the computed regions. An algorithm may have such calls without being
// scheduled.
bool saysBoundsAlone(const FoundCalls &found);

// The calls of a scheduled file that are not in `algorithm`, the same file without its schedule.
// Calls and promises that are in both belong to the algorithm and are left out.
FoundCalls beyond(const FoundCalls &algorithm, FoundCalls scheduled);

} // namespace tessera::schedule
