// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/extent.h"

#include <algorithm>

namespace tessera::schedule {

std::string_view reason(Extent extent) {
  switch (extent) {
  case Extent::Constant:
  case Extent::Fixed:
    return "nothing";
  case Extent::Adrift:
    return "the position of a boundary";
  case Extent::Guarded:
    return "the last tile of a guarded loop";
  case Extent::Bounded:
    return "a division or a boundary";
  case Extent::Loose:
    return "several boundaries in a row";
  case Extent::Whole:
    return "the size of the whole func";
  case Extent::Unknown:
    return "data, or on expressions that Halide cannot bound";
  }
  return "nothing";
}

Extent vaguest(std::span<const Extent> extents) {
  return extents.empty() ? Extent::Constant : std::ranges::max(extents);
}

} // namespace tessera::schedule
