// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::footprint {

// Who needs a box: one thread, the threads of a warp, a block, or all blocks of a launch.
enum class Level : std::uint8_t { Thread, Warp, Block, Grid };
inline constexpr std::size_t kLevels = 4;
inline constexpr std::array kAllLevels{Level::Thread, Level::Warp, Level::Block, Level::Grid};

std::string_view name(Level level); // "thread", "warp", "block", "grid"
std::optional<Level> levelFromName(std::string_view name);

} // namespace tessera::footprint
