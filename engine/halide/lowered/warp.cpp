// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/warp.h"

#include <algorithm>

namespace tessera::halide::lowered {

namespace {

constexpr std::string_view kShuffle = "llvm.nvvm.shfl.sync.";
constexpr std::int64_t kWarp = 32;

// The lane that a lane reads from, by the definition of PTX: `limits` has the last lane in its low
// bits, and above them the bits of a lane's number that tell its part of the warp.
std::int64_t sourceOf(std::string_view mode, std::int64_t lane, std::int64_t by,
                      std::int64_t limits) {
  const std::int64_t last = limits & 31, part = (limits >> 8) & 31;
  const std::int64_t most = (lane & part) | (last & ~part), least = lane & part;
  std::int64_t source = lane;
  bool isInside = true;
  if (mode.starts_with("up")) {
    source = lane - by;
    isInside = source >= most; // for this mode the last lane is a first one
  } else if (mode.starts_with("down")) {
    source = lane + by;
    isInside = source <= most;
  } else {
    source = least | (by & ~part);
    isInside = source <= most;
  }
  return isInside ? source : lane;
}

} // namespace

bool isWarpShuffle(std::string_view name) { return name.starts_with(kShuffle); }

Value warpShuffle(const State &state, const Halide::Internal::Call &op,
                  const std::vector<ValuePtr> &arguments) {
  const Grid &grid = state.grid;
  const std::string_view mode = std::string_view(op.name).substr(kShuffle.size());
  const ValuePtr value = spread(arguments[1], grid.threads);
  const ValuePtr by = spread(arguments[2], grid.threads);
  const ValuePtr limits = spread(arguments[3], grid.threads);
  const std::size_t lanes = value->lanes(), byLanes = by->lanes();
  Value result(op.type, grid.threads);
  const std::int64_t perBlock = grid.perBlock();
  for (std::int64_t thread = 0; thread < grid.threads; ++thread) {
    const std::int64_t inBlock = thread % perBlock, lane = inBlock % kWarp;
    const auto number = static_cast<std::size_t>(thread);
    const std::int64_t source = sourceOf(mode, lane, by->words[number * byLanes].i,
                                         limits->words[number * limits->lanes()].i);
    const std::int64_t other = inBlock - lane + source;
    const auto from = static_cast<std::size_t>(thread - inBlock + std::min(other, perBlock - 1));
    const bool isThere = other < perBlock && grid.isActive(from);
    for (std::size_t k = 0; k < lanes; ++k) {
      result.words[number * lanes + k] = value->words[from * lanes + k];
      if (isThere && !value->isUnknown(from * lanes + k)) continue;
      if (result.unknown.empty()) result.unknown.resize(result.words.size());
      result.unknown[number * lanes + k] = 1;
    }
  }
  return result;
}

} // namespace tessera::halide::lowered
