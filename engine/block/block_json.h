// SPDX-License-Identifier: MIT
#pragma once

#include "engine/block/block_handles.h"
#include "engine/block/stage_block.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace tessera::block {

// The parts of what `block --json` prints. A key that other commands print, too, means the same
// there.
nlohmann::ordered_json toJson(const ThreadBlock &threads);
nlohmann::ordered_json ownedToJson(const ThreadBlock &threads, const ThreadPlace &thread);
nlohmann::ordered_json toJson(const WarpPattern &access, std::size_t number); // its counts
nlohmann::ordered_json addressesToJson(const WarpPattern &access);
nlohmann::ordered_json toJson(const GridWaves &grid);
nlohmann::ordered_json toJson(const BlockHandle &handle, std::span<const HandleStop> stops);

} // namespace tessera::block
