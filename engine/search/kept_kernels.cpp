// SPDX-License-Identifier: MIT
#include "engine/search/kept_kernels.h"

#include "engine/schedule/shape.h"

namespace tessera::search {

using pipeline::FuncId;
using schedule::DecisionKind;

std::set<FuncId> keptFuncs(const schedule::Schedule &schedule) {
  std::set<FuncId> kept, kernels;
  const schedule::Shape shape(schedule);
  for (const auto &[key, mark] : schedule.marks()) {
    if (!mark.frozen || key.kind == DecisionKind::RegisterCap || key.kind == DecisionKind::Promises)
      continue;
    kept.insert(key.func);
    if (!schedule.plan(key.func).isInline()) kernels.insert(shape.of(key.func).kernel);
  }
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    if (!schedule.plan(FuncId{f}).isInline() && kernels.contains(shape.of(FuncId{f}).kernel))
      kept.insert(FuncId{f});
  return kept;
}

} // namespace tessera::search
