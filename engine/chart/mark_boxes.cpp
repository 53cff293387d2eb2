// SPDX-License-Identifier: MIT
#include "engine/chart/mark_boxes.h"

#include "engine/chart/arrow_shape.h"

#include <algorithm>
#include <cmath>

namespace tessera::chart {

Box boxOf(const Mark &mark) {
  return {mark.at.x - mark.radius, mark.at.y - mark.radius, mark.at.x + mark.radius,
          mark.at.y + mark.radius};
}

Box paintedBoxOf(const Mark &mark) {
  const double most = 1.5 * mark.radius + 1.5;
  return {mark.at.x - most, mark.at.y - most, mark.at.x + most, mark.at.y + most};
}

Box gainBoxOf(const Arrow &arrow) {
  const Point middle = ArrowShape(arrow).word;
  const double half = kLetter * static_cast<double>(arrow.text.size()) / 2;
  return {middle.x - half, middle.y - kLine / 2, middle.x + half, middle.y + kLine / 2};
}

Box boxOf(const MarkRow &row) {
  Box all = boxOf(row.marks.front());
  for (const Mark &mark : row.marks) {
    const Box box = boxOf(mark);
    all = {std::min(all.left, box.left), std::min(all.top, box.top), std::max(all.right, box.right),
           std::max(all.bottom, box.bottom)};
  }
  return all;
}

bool covers(const MarkRow &a, const MarkRow &b) {
  constexpr double kSame = 3;
  return a.marks.size() == b.marks.size() && a.isWhole == b.isWhole &&
         std::ranges::equal(a.marks, b.marks, [](const Mark &x, const Mark &y) {
           return std::hypot(x.at.x - y.at.x, x.at.y - y.at.y) < kSame && x.origin == y.origin;
         });
}

} // namespace tessera::chart
