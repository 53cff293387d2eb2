// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::schedule {

// A stage, and all that are inlined into it, each once: whose expressions its loops evaluate.
std::vector<pipeline::StageId> evaluatedBy(const Schedule &schedule, pipeline::StageId stage);

} // namespace tessera::schedule
