// SPDX-License-Identifier: MIT
#include "engine/chart/turned_box.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::chart {

namespace {

Box around(const std::array<Point, 4> &points) {
  const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(points, {}, &Point::y);
  return {left.x, top.y, right.x, bottom.y};
}

} // namespace

TurnedBox::TurnedBox(const Box &box) : TurnedBox({0, 0}, box, 0) {}

TurnedBox::TurnedBox(Point about, const Box &box, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const std::array<Point, 4> corners{
      {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}}};
  std::ranges::transform(corners, m_corners.begin(), [&](const Point &corner) {
    return Point{about.x + corner.x * cosine - corner.y * sine,
                 about.y + corner.x * sine + corner.y * cosine};
  });
  m_around = around(m_corners);
}

TurnedBox TurnedBox::along(Point from, Point to, double width) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  return {from,
          {0, -width / 2, std::hypot(dx, dy), width / 2},
          std::atan2(dy, dx) * 180 / std::numbers::pi};
}

// Whether the boxes do not overlap when projected onto an axis.
bool TurnedBox::isApartAlong(Point axis, const TurnedBox &other) const {
  const auto seen = [&](const TurnedBox &box) {
    return std::ranges::minmax(box.m_corners, {}, [&](const Point &corner) {
      return corner.x * axis.x + corner.y * axis.y;
    });
  };
  const auto at = [&](const Point &corner) { return corner.x * axis.x + corner.y * axis.y; };
  const auto mine = seen(*this), its = seen(other);
  return at(mine.max) <= at(its.min) || at(its.max) <= at(mine.min);
}

// Two boxes do not touch if their projections onto the direction of some side are separate.
bool TurnedBox::touches(const TurnedBox &other) const {
  if (m_around.right <= other.m_around.left || other.m_around.right <= m_around.left ||
      m_around.bottom <= other.m_around.top || other.m_around.bottom <= m_around.top)
    return false;
  for (const TurnedBox *box : {this, &other})
    for (std::size_t side = 0; side < 2; ++side) {
      const Point &from = box->m_corners[side], &to = box->m_corners[side + 1];
      if (isApartAlong({to.x - from.x, to.y - from.y}, other)) return false;
    }
  return true;
}

bool TurnedBox::isWithin(const Box &frame) const {
  return m_around.left >= frame.left && m_around.right <= frame.right &&
         m_around.top >= frame.top && m_around.bottom <= frame.bottom;
}

std::vector<Box> TurnedBox::pieces() const {
  constexpr double kPiece = 12;
  const Point &a = m_corners[0], &b = m_corners[1], &d = m_corners[3];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const auto count = std::max(1, static_cast<int>(std::ceil(length / kPiece)));
  const auto at = [&](int piece, const Point &from) {
    const double part = static_cast<double>(piece) / count;
    return Point{from.x + part * (b.x - a.x), from.y + part * (b.y - a.y)};
  };
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i)
    boxes.push_back(around({at(i, a), at(i + 1, a), at(i + 1, d), at(i, d)}));
  return boxes;
}

} // namespace tessera::chart
