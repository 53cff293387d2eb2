// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/schedule/plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// The tail that Halide uses for Auto, in a definition or in an update, for a pure or a reduction
// loop. Other tails are returned unchanged.
Tail performed(Tail tail, bool inUpdate, bool isReduction);

// Whether the tail is a guard, a test that keeps the loop inside of its range. With other tails,
// the loop goes beyond the range, or computes some of it twice.
bool guards(Tail performed);
bool roundsUp(Tail performed);
bool shifts(Tail performed);

// The range that is computed along a dimension when `range` is needed and the outermost split has
// this tail: rounded up to whole tiles, or begun early enough for one whole tile. Inner splits add
// nothing, since each factor divides the next outer one.
pipeline::Interval withTail(pipeline::Interval range, std::int64_t factor, Tail performed);

// Whether the outermost factor does not divide the extent of an axis, so that the last tile is
// smaller.
bool isRagged(const LoopNest &nest, std::uint16_t axis, std::span<const std::int64_t> dims);

// Whether the region of a func is promised to be a multiple of `size` along one dimension of a
// stage, so that no tail is left.
bool isMultiple(const pipeline::Stage &stage, std::uint16_t dim,
                const std::vector<RegionBound> &bounds, std::int64_t size);

} // namespace tessera::schedule
