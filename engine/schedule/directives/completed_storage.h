// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <map>
#include <vector>

namespace tessera::schedule {

struct CompletedStorage {
  Storage storage = Storage::Auto;
  std::vector<StorageDim> dims; // the decided storage and the additions, by dimension

  friend bool operator==(const CompletedStorage &, const CompletedStorage &) = default;
};

// For each func to whose storage lower() has to add something, or that it has to call otherwise
// (kept_storage.h). Empty for an unsound schedule, since it has no bounds.
std::map<pipeline::FuncId, CompletedStorage> completedStorage(const Schedule &schedule);

} // namespace tessera::schedule
