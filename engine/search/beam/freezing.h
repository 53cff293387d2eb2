// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_moves.h"
#include "engine/search/beam/beam_pass.h"

#include <cstddef>

namespace tessera::search {

// Section 4 of Anderson et al. 2021: of N funcs, log2(N) stay open.
std::size_t frozenCount(std::size_t funcs);

// The choices of the state that a pre-pass ended with, for the funcs that cost the least in it.
FrozenChoices cheapestChoices(BeamMoves &moves, const BeamState &state);

} // namespace tessera::search
