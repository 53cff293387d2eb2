// SPDX-License-Identifier: MIT
#pragma once

#include "engine/footprint/kernel_footprint.h"
#include "engine/footprint/tile_sizes.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::footprint {

// The answer of `tessera-cli footprint --json` for one kernel. Without a level, it has all levels.
nlohmann::ordered_json toJson(const KernelFootprint &kernel, std::optional<Level> level);
nlohmann::ordered_json toJson(const TileEdge &edge, std::span<const TileSize> sizes);

} // namespace tessera::footprint
