// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/open.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::open {

// One of several sets of sizes that a pipeline is scheduled for, in the user's words:
//
//   paper-large                           a size in the pipeline's sizes.json
//   720p: input=1280×720 output=1280×720  estimates with a name
//   4k: paper-large output=3840×2160      a size with changed estimates
struct SizeSet {
  std::string name; // given name; else `size` if there are no estimates; else set1, set2, …
  std::string size; // see OpenRequest
  std::vector<EstimateOverride> estimates;
};

// Parses all of the user's size sets. Their names must differ, since files and columns are named
// after them.
Result<std::vector<SizeSet>> parseSizeSets(const std::vector<std::string> &texts);

// The request to open the pipeline at these sizes. Estimates of the request apply to every set;
// those of the set come later and take precedence.
OpenRequest withSizes(OpenRequest request, const SizeSet &set);

} // namespace tessera::open
