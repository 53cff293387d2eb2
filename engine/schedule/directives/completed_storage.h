// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <vector>

namespace tessera::schedule {

// What has to be said about the storage of funcs beyond what is decided (kept_storage.h), by func
// and dimension. A schedule that is not sound has no bounds, so nothing is added to it.
std::map<pipeline::FuncId, std::vector<StorageDim>> completedStorage(const Schedule &schedule);

} // namespace tessera::schedule
