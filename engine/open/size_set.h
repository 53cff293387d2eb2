// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/open/open.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::open {

// One of several sets of sizes that a pipeline is scheduled for, in the user's words:
//
//   paper-large                                    a size that its sizes.json has
//   720p: input=0:1280,0:720 output=0:1280,0:720   estimates, under a name
//   4k: paper-large output=0:3840,0:2160           a size, and what differs from it
struct SizeSet {
  std::string name; // of its own, of its size, or set1, set2, …
  std::string size; // as in OpenRequest
  std::vector<EstimateOverride> estimates;
};

// All that the user names; no two may be called the same, as files and columns are called by it.
Result<std::vector<SizeSet>> parseSizeSets(const std::vector<std::string> &texts);

// What opens the pipeline at these sizes. Estimates that the request has hold for every set, and
// those of the set come after them and win.
OpenRequest withSizes(OpenRequest request, const SizeSet &set);

} // namespace tessera::open
