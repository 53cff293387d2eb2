// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"

#include <vector>

namespace tessera::halide {

// For each func: whether its values bound an index, and Halide would lose that bound if the func
// were inlined. Halide bounds the values of a func as they are written. An inlined func is
// simplified first: max(u, 0) of an unsigned u becomes u, of which Halide knows no least value.
std::vector<bool> funcsThatBoundIndices(const Graph &graph);

} // namespace tessera::halide
