// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/schedule/plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

// What Halide makes of Auto: in a definition, and in an update, of pure and of reduction loops.
Tail performed(Tail tail, bool inUpdate, bool isReduction);

// Whether a test keeps it inside; else it computes more, or some of it twice.
bool guards(Tail performed);
bool roundsUp(Tail performed);
bool shifts(Tail performed);

// What is computed of a dimension that is needed over `range`, when its outermost split ends with
// this tail: up to whole tiles, or from as far before as one tile takes. Inner splits divide.
pipeline::Interval withTail(pipeline::Interval range, std::int64_t factor, Tail performed);

// Whether the outermost tiles of an axis do not divide it: the last one is smaller.
bool isRagged(const LoopNest &nest, std::uint16_t axis, std::span<const std::int64_t> dims);

// Whether the region of a func is promised to be a multiple along one dimension of a stage, so that
// no tail is left.
bool isMultiple(const pipeline::Stage &stage, std::uint16_t dim,
                const std::vector<RegionBound> &bounds, std::int64_t size);

} // namespace tessera::schedule
