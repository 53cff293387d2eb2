// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_text.h"

#include <functional>

namespace tessera::schedule {

// Returns a random number below its argument. It is the only source of randomness here.
using Pick = std::function<std::size_t(std::size_t)>;

// Returns random directives in any order, with names of every kind. Their arguments fit the
// signatures, and a func that a directive makes is used only by later ones. Halide would refuse
// nearly all of them, but texts must be able to carry them all.
std::vector<Directive> randomDirectives(const Pick &pick, std::size_t count);

TextHeader randomHeader(const Pick &pick);

} // namespace tessera::schedule
