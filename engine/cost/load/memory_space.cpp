// SPDX-License-Identifier: MIT
#include "engine/cost/load/memory_space.h"

namespace tessera::cost {

std::string_view name(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Registers:
    return "registers";
  case MemorySpace::Local:
  case MemorySpace::Apart:
    break;
  }
  return "local";
}

} // namespace tessera::cost
