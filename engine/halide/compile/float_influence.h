// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/report/element_rule.h"

#include <vector>

namespace tessera::halide {

// How floats get into each output, an entry for each element of an output that is a tuple: whether
// rounding a float can change it by one, or into any other value.
std::vector<report::FloatInfluence> floatInfluences(const Graph &graph);

} // namespace tessera::halide
