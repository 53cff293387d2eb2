// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"

#include <cstdint>

namespace tessera::schedule {

// Changes of one part of an axis. The parts inside of it keep their sizes, and what is around it
// grows or shrinks with it.

// Changes the number of iterations of a part, which is not the outermost one.
LoopNest resized(LoopNest nest, LoopRef part, std::int64_t size);

// Adds a part of `size` iterations around part `at.part`, or inside of all parts if `at.part` is
// their number. Its loop goes to position `place` of the nest's loops.
LoopNest withPart(LoopNest nest, LoopRef at, std::int64_t size, LoopKind kind, std::size_t place);

// Takes away a part that is not the outermost one, with its loop. No func may be computed there.
LoopNest withoutPart(LoopNest nest, LoopRef part);

} // namespace tessera::schedule
