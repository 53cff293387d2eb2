// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/completed_storage.h"

#include "engine/schedule/bounds/kept_storage.h"
#include "engine/schedule/rules/legality.h"

#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;

std::map<FuncId, CompletedStorage> completedStorage(const Schedule &schedule) {
  std::map<FuncId, CompletedStorage> all;
  if (!isSound(schedule)) return all;
  const Bounds bounds(schedule);
  const std::vector<FuncId> funcs = schedule.pipeline()->allFuncs();
  const KeptStorage kept(schedule, bounds, funcs);
  for (const FuncId func : funcs) {
    CompletedStorage decided{schedule.plan(func).storage, schedule.plan(func).storageDims};
    decided.dims.resize(schedule.pipeline()->func(func).args.size());
    CompletedStorage completed{kept.storage(func), std::vector<StorageDim>(decided.dims.size())};
    for (std::size_t d = 0; d < completed.dims.size(); ++d)
      completed.dims[d] = kept.dim(func, d);
    if (completed != decided) all.emplace(func, std::move(completed));
  }
  return all;
}

} // namespace tessera::schedule
