// SPDX-License-Identifier: MIT
#include "engine/chart/arrow_shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::chart {

ArrowShape::ArrowShape(const Arrow &arrow) {
  constexpr double kShort = 8, kHead = 9, kHalf = 4, kWord = 14;
  const double dx = arrow.to.x - arrow.from.x, dy = arrow.to.y - arrow.from.y;
  const double length = std::hypot(dx, dy);
  const Point along{dx / length, dy / length};
  const auto at = [&](double forwards, double sideways) {
    return Point{arrow.from.x + forwards * along.x - sideways * along.y,
                 arrow.from.y + forwards * along.y + sideways * along.x};
  };
  const double most = std::max(length - kShort, length / 2);
  from = at(std::min(kShort, length / 4), 0);
  tip = at(most, 0);
  neck = at(std::max(most - kHead, 0.0), 0);
  left = at(most - kHead, kHalf);
  right = at(most - kHead, -kHalf);
  // The word is on the upper side of the arrow, or left of an arrow that points straight up.
  word = at(length / 2, dx >= 0 ? -kWord : kWord);
}

// Clips the line as in Liang and Barsky 1984: each side of the frame cuts off a part.
std::optional<Arrow> clippedTo(const Frame &frame, Arrow arrow) {
  const double dx = arrow.to.x - arrow.from.x, dy = arrow.to.y - arrow.from.y;
  double first = 0, last = 1;
  for (const auto &[towards, room] :
       {std::pair(-dx, arrow.from.x - frame.left), std::pair(dx, frame.right() - arrow.from.x),
        std::pair(-dy, arrow.from.y - frame.top), std::pair(dy, frame.bottom() - arrow.from.y)}) {
    if (towards == 0 && room < 0) return std::nullopt;
    if (towards < 0) first = std::max(first, room / towards);
    if (towards > 0) last = std::min(last, room / towards);
  }
  if (first >= last) return std::nullopt;
  const Point from = arrow.from;
  arrow.from = {from.x + first * dx, from.y + first * dy};
  arrow.to = {from.x + last * dx, from.y + last * dy};
  return arrow;
}

} // namespace tessera::chart
