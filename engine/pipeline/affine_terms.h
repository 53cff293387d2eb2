// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::pipeline {

// The order of the terms of an atom.
inline std::pair<std::uint32_t, bool> placeOf(const AffineTerm &term) {
  return {term.loop, term.coefficient > 0};
}

// Adds a term at its place. Terms of one loop with other signs stay apart: Halide's interval of
// x*3 - x is that of two independent values. A coefficient of 0 adds nothing.
void addTerm(std::vector<AffineTerm> &terms, const AffineTerm &term);

} // namespace tessera::pipeline
