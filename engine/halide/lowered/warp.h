// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/state.h"

#include <string_view>

namespace tessera::halide::lowered {

// CUDA's shuffles, by which threads of one warp read each other's registers, under LLVM's names:
// llvm.nvvm.shfl.sync.idx.i32(members, value, lane, limits), or .up and .down with a distance. A
// value of a thread that takes no part, or of none, is unknown.
bool isWarpShuffle(std::string_view name);
Value warpShuffle(const State &state, const Halide::Internal::Call &op,
                  const std::vector<ValuePtr> &arguments);

} // namespace tessera::halide::lowered
