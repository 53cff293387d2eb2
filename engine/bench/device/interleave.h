// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/measure.h"

#include <vector>

namespace tessera::bench {

// Times bundles of one pipeline in turns. The outputs of each are compared before and after. The
// first wrong output ends the request; the progress phases have told which bundle ran.
std::vector<Measurement> measureInTurns(const Workbench &bench, const InterleaveOptions &options);

} // namespace tessera::bench
