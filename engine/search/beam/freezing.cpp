// SPDX-License-Identifier: MIT
#include "engine/search/beam/freezing.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::search {

using pipeline::FuncId;

std::size_t frozenCount(std::size_t funcs) {
  if (funcs == 0) return 0;
  const auto count = static_cast<double>(funcs);
  return static_cast<std::size_t>(count - std::log2(count));
}

FrozenChoices cheapestChoices(BeamMoves &moves, const BeamState &state) {
  const std::vector<double> costs = moves.costsOf(state);
  std::vector<FuncId> funcs = moves.order();
  std::ranges::stable_sort(funcs, {}, [&](FuncId func) { return costs[index(func)]; });
  funcs.resize(frozenCount(funcs.size()));
  FrozenChoices frozen;
  for (const FuncId func : funcs) {
    FrozenChoice choice;
    const bool isInline = state.schedule.plan(func).isInline();
    choice.place.place = isInline ? BeamPlace::Inline : BeamPlace::Root;
    choice.place.shape.place = choice.place.place;
    const std::uint32_t tile = state.tiles[index(func)];
    if (!isInline && tile != BeamState::kUntiled) choice.tile = moves.tiles(func)[tile];
    choice.cost = costs[index(func)];
    frozen.emplace(func, std::move(choice));
  }
  return frozen;
}

} // namespace tessera::search
