// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/measure.h"

#include <vector>

namespace tessera::bench {

// Runs bundles of one pipeline in turns and times them. The outputs of each are compared first and
// last: the first that is wrong ends it all, and the phases have said whose turn it was.
std::vector<Measurement> measureInTurns(const Workbench &bench, const InterleaveOptions &options);

} // namespace tessera::bench
