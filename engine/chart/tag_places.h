// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::chart {

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  double overlap(const Box &other) const;
};

// Finds places for words beside what they name, the first come the first served.
class TagPlaces {
public:
  explicit TagPlaces(const Box &within) : m_within(within) {}

  void occupy(const Box &box) { m_taken.push_back(box); }
  bool isFree(const Box &box) const { return covered(box) < 1; }

  // Beside `named`, as near as there is room; it is taken then. Where there is none, where it
  // covers least.
  Box place(const Box &named, double width, double height);

private:
  double covered(const Box &box) const;

  Box m_within;
  std::vector<Box> m_taken;
};

} // namespace tessera::chart
