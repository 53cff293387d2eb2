// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/completed_storage.h"

#include "engine/schedule/bounds/kept_storage.h"
#include "engine/schedule/rules/legality.h"

#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;

std::map<FuncId, std::vector<StorageDim>> completedStorage(const Schedule &schedule) {
  std::map<FuncId, std::vector<StorageDim>> all;
  if (!isSound(schedule)) return all;
  const Bounds bounds(schedule);
  const std::vector<FuncId> funcs = schedule.pipeline()->allFuncs();
  const KeptStorage kept(schedule, bounds, funcs);
  for (const FuncId func : funcs) {
    std::vector<StorageDim> decided = schedule.plan(func).storageDims;
    decided.resize(schedule.pipeline()->func(func).args.size());
    std::vector<StorageDim> dims(decided.size());
    for (std::size_t d = 0; d < dims.size(); ++d)
      dims[d] = kept.dim(func, d);
    if (dims != decided) all.emplace(func, std::move(dims));
  }
  return all;
}

} // namespace tessera::schedule
