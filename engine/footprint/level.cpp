// SPDX-License-Identifier: MIT
#include "engine/footprint/level.h"

#include <algorithm>

namespace tessera::footprint {

namespace {
constexpr std::array<std::string_view, kLevels> kNames{"thread", "warp", "block", "grid"};
} // namespace

std::string_view name(Level level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<Level> levelFromName(std::string_view name) {
  const auto *const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Level>(found - kNames.begin());
}

} // namespace tessera::footprint
