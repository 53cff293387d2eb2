// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_state.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;

std::vector<FuncId> BeamState::funcsOf(FuncId output) const {
  std::vector<FuncId> funcs;
  for (std::uint32_t f = 0; f < kernels.size(); ++f)
    if (kernels[f] == output && !schedule.plan(FuncId{f}).isInline()) funcs.push_back(FuncId{f});
  return funcs;
}

void BeamState::sumCosts() {
  cost = 0;
  for (const double of : costs)
    cost += of;
}

std::uint64_t BeamState::hashAt(int depth) const {
  return hash[static_cast<std::size_t>(std::clamp(depth, 0, kHashDepths - 1))];
}

} // namespace tessera::search
