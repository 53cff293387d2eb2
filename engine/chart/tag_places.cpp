// SPDX-License-Identifier: MIT
#include "engine/chart/tag_places.h"

#include <algorithm>
#include <array>

namespace tessera::chart {

double Box::overlap(const Box &other) const {
  const double width = std::min(right, other.right) - std::max(left, other.left);
  const double height = std::min(bottom, other.bottom) - std::max(top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

double TagPlaces::covered(const Box &box) const {
  double area = 0;
  for (const Box &taken : m_taken)
    area += box.overlap(taken);
  const double whole = (box.right - box.left) * (box.bottom - box.top);
  return area + whole - box.overlap(m_within); // the part outside of m_within counts as covered
}

Box TagPlaces::place(const Box &named, double width, double height) {
  constexpr double kGap = 3;
  constexpr std::array<double, 9> kShifts{0, -1, 1, -2, 2, -3, 3, -4, 4}; // in heights of the word
  const double middle = (named.left + named.right) / 2, y = (named.top + named.bottom) / 2;
  constexpr int kRings = 6;
  Box best;
  double least = -1;
  const auto isFree = [&](double left, double centre) {
    const Box box{left, centre - height / 2, left + width, centre + height / 2};
    const double bad = covered(box);
    if (least < 0 || bad < least) {
      least = bad;
      best = box;
    }
    return least < 1;
  };
  const auto search = [&] {
    for (int ring = 0; ring < kRings; ++ring)
      for (const double shift : kShifts) {
        const double centre = y + shift * (height + 1), away = kGap + ring * width;
        if (isFree(named.left - away - width, centre) || isFree(named.right + away, centre)) return;
        if (shift != 0 && ring == 0 && isFree(middle - width / 2, centre)) return;
      }
  };
  search();
  m_taken.push_back(best);
  return best;
}

} // namespace tessera::chart
