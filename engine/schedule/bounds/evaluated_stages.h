// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::schedule {

// The stages whose expressions the loops of a stage evaluate: the stage itself and all stages that
// are inlined into it, each once.
std::vector<pipeline::StageId> evaluatedBy(const Schedule &schedule, pipeline::StageId stage);

} // namespace tessera::schedule
