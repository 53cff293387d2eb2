// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/measure.h"

#include <vector>

namespace tessera::bench {

// Times bundles of one pipeline in turns. The outputs of each bundle are compared before and after
// the timing. The first wrong output ends the request; the item of the last progress report tells
// which bundle it came from.
std::vector<Measurement> measureInTurns(const Workbench &bench, const InterleaveOptions &options);

} // namespace tessera::bench
