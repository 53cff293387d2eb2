// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_parameters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// The tile sizes of section 4.2.3 of Mullapudi et al. 2016, by dimension, the innermost first: all
// dimensions alike ("n-D hypercubes"), or those of the greatest reuse longer than the others
// ("elongated in the dimensions of greatest output function reuse"). The innermost dimension has at
// least VECTOR_WIDTH. Sizes are at most the extent; no tile comes twice.
//
//   extents {1000, 500}, reuse {0, 2}    {32, 1}, {32, 4}, … {256, 256}, {32, 8}, {32, 16} …
std::vector<std::vector<std::int64_t>> mullapudiTiles(std::span<const std::int64_t> extents,
                                                      std::span<const double> reuse,
                                                      const MullapudiParameters &parameters);

// Dimensions from that with the greatest reuse to that with the least; of equal ones the first.
std::vector<std::size_t> byReuse(std::span<const double> reuse);

// The dimensions of a tile along which a block has threads: the first three in which the tile has
// more than one point. A block has no more dimensions.
std::vector<bool> tileThreads(std::span<const std::int64_t> tile);

// The tile of a func that the paper leaves at SINGLE_ELEMENT_TILE. It still needs blocks and
// threads: VECTOR_WIDTH threads along the innermost dimension, and more along the next ones, until
// there are TARGET_THREADS_PER_BLOCK.
std::vector<std::int64_t> untiledBlock(std::span<const std::int64_t> extents,
                                       const MullapudiParameters &parameters);

} // namespace tessera::search
