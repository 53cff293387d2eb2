// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <vector>

namespace tessera::schedule {

// For each func to whose storage lower() has to add something (kept_storage.h): the decided storage
// and the additions, by dimension. Empty for an unsound schedule, since it has no bounds.
std::map<pipeline::FuncId, std::vector<StorageDim>> completedStorage(const Schedule &schedule);

} // namespace tessera::schedule
