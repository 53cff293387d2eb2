// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/grid.h"

#include <algorithm>

namespace tessera::halide::lowered {

bool Grid::anyActive() const {
  return active.empty() || std::ranges::any_of(active, [](std::uint8_t on) { return on != 0; });
}

Grid Grid::within(const Value &extent, std::uint32_t most) const {
  Grid inner;
  inner.threads = threads * most;
  inner.blocks = blocks;
  inner.firstBlock = firstBlock;
  const std::size_t per = threads / extent.threads;
  const bool isRagged = std::ranges::any_of(
      extent.words, [most](Word word) { return word.i != static_cast<std::int64_t>(most); });
  if (active.empty() && doubtful.empty() && !isRagged) return inner;
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (std::uint32_t i = 0; i < most; ++i) {
      inner.active.push_back(isActive(thread) && i < extent.words[thread / per].i);
      if (!doubtful.empty()) inner.doubtful.push_back(isDoubtful(thread));
    }
  return inner;
}

Grid Grid::where(const Value &condition, bool holds) const {
  Grid some = *this;
  const std::size_t per = threads / condition.threads;
  some.active.resize(threads);
  for (std::size_t thread = 0; thread < threads; ++thread)
    some.active[thread] = isActive(thread) && (condition.words[thread / per].i != 0) == holds;
  if (condition.unknown.empty()) return some;
  some.doubtful.resize(threads);
  for (std::size_t thread = 0; thread < threads; ++thread)
    some.doubtful[thread] = isDoubtful(thread) || condition.isUnknown(thread / per);
  return some;
}

std::string Grid::nameOf(std::size_t thread) const {
  return "thread " + std::to_string(thread % perBlock()) + " of block " +
         std::to_string(firstBlock + blockOf(thread));
}

} // namespace tessera::halide::lowered
