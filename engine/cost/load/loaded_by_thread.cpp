// SPDX-License-Identifier: MIT
#include "engine/cost/load/loaded_by_thread.h"

#include "engine/cost/load/reads.h"

#include <algorithm>

namespace tessera::cost {

double LoadedByThread::newPartOf(pipeline::Producer producer,
                                 std::span<const pipeline::Interval> box,
                                 const schedule::Place &at) {
  double known = 0;
  for (const Box &earlier : m_boxes)
    if (earlier.producer == producer && earlier.at == at)
      known = std::max(
          known, volumeShared(std::span(m_sides).subspan(earlier.firstSide, box.size()), box));
  m_boxes.push_back({producer, at, m_sides.size()});
  m_sides.insert(m_sides.end(), box.begin(), box.end());
  return 1 - known / volumeOf(box);
}

void LoadedByThread::clear() {
  m_boxes.clear();
  m_sides.clear();
}

} // namespace tessera::cost
