// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_text.h"

#include <functional>

namespace tessera::schedule {

// A number below the given one; the source of all randomness here.
using Pick = std::function<std::size_t(std::size_t)>;

// Directives that fit their signatures and make funcs before they use them, in any order and with
// names of every kind. Halide would refuse nearly all of them; texts must carry them all.
std::vector<Directive> randomDirectives(const Pick &pick, std::size_t count);

TextHeader randomHeader(const Pick &pick);

} // namespace tessera::schedule
