// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/extent.h"

namespace tessera::schedule {

std::string_view reason(Extent extent) {
  switch (extent) {
  case Extent::Constant:
  case Extent::Fixed:
    return "nothing";
  case Extent::Adrift:
    return "where a boundary lies";
  case Extent::Guarded:
    return "a guard's last tile";
  case Extent::Bounded:
    return "a division or a boundary";
  case Extent::Loose:
    return "several boundaries in a row";
  case Extent::Whole:
    return "the size of the whole";
  case Extent::Unknown:
    return "data, or what Halide cannot follow";
  }
  return "nothing";
}

} // namespace tessera::schedule
