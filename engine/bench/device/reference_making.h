// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/measure_request.h"

namespace tessera::bench {

// Runs host bundles of a pipeline and writes what its outputs have to be, and how sure that is, to
// a folder that Reference::read() reads.
void makeReference(const ReferenceOptions &options);

} // namespace tessera::bench
