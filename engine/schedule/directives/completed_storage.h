// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <vector>

namespace tessera::schedule {

// What Halide has to be told about the storage of funcs beyond what is decided (kept_storage.h), by
// func and dimension. Nothing is added to an unsound schedule, since it has no bounds.
std::map<pipeline::FuncId, std::vector<StorageDim>> completedStorage(const Schedule &schedule);

} // namespace tessera::schedule
