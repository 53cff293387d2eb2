// SPDX-License-Identifier: MIT
#include "engine/search/kernels/place_depth.h"

#include <algorithm>

namespace tessera::search {

using schedule::Depth;
using schedule::LoopKind;
using schedule::Place;

Depth depthOf(const schedule::Schedule &schedule, Place place) {
  Depth depth = Depth::Host;
  while (place.kind == Place::Kind::At) {
    const schedule::LoopNest &nest = schedule.plan(place.stage).nest;
    const auto around = nest.loops.begin() + static_cast<std::ptrdiff_t>(*nest.find(place.loop));
    for (auto loop = around; loop != nest.loops.end(); ++loop)
      if (loop->kind == LoopKind::Thread || loop->kind == LoopKind::Lane)
        return Depth::Thread;
      else if (loop->kind == LoopKind::Block)
        depth = Depth::Block;
    place = schedule.plan(schedule.pipeline()->stage(place.stage).func).compute;
  }
  return depth;
}

} // namespace tessera::search
