// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tessera::search {

// One dimension of a func after alignment and scaling (sections 5 and 6 of Jangda and Guha 2020):
// its index is index · scale / divisor of a dimension of the group's output, give or take a
// constant.
struct AlignedDim {
  std::size_t output = 0; // dimension of the output
  std::int64_t scale = 1, divisor = 1;

  friend bool operator==(const AlignedDim &, const AlignedDim &) = default;
};
// By dimension of the func. None: a tile of the output needs the same few indices everywhere.
using Alignment = std::vector<std::optional<AlignedDim>>;

// How funcs lie beside the output of a group that has them. "The function also ensures the
// dependence vectors between all stages of a group are constants after alignment and scaling of
// dependencies" (section 6): funcs for which they are not are left out, and so are those with
// updates, which PolyMage cannot fuse (section 7.1).
//
// Only funcs that the output needs alone are looked at: all that reads them leads to the output. So
// whether a func may be in a group does not depend on the rest of the group. Funcs that the
// schedule inlines are looked through and are in the result.
std::map<pipeline::FuncId, Alignment> alignmentsTo(const schedule::Schedule &schedule,
                                                   pipeline::FuncId output);

} // namespace tessera::search
