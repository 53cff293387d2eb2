// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_kernel.h"

#include <cstdint>
#include <vector>

namespace tessera::search {

// Section 5.1 of Mullapudi et al. 2016 approximates PolyMage: it groups as `mullapudi` does, but
// "to tile only two spatial dimensions and to consider only a single tile size", and "functions
// with dependence patterns that cannot be analyzed by PolyMage are scheduled using the baseline
// scheduler".

// Whether PolyMage could analyse what a func reads: it has no update and no reduction, and each
// index is affine. With its inlined funcs.
bool isPolyhedral(const pipeline::Pipeline &pipeline, const MullapudiGroup &group);

// The only tile, TILE_X by TILE_Y, along the first two dimensions that are longer than a few
// points; the others are not tiled. Empty if there are not two such dimensions.
std::vector<std::int64_t> onlyTile(const pipeline::Pipeline &pipeline, pipeline::FuncId output,
                                   const MullapudiParameters &parameters);

} // namespace tessera::search
