// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::chart {

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  double overlap(const Box &other) const;
};

// Places words beside what they name, in the order of the calls.
class TagPlaces {
public:
  explicit TagPlaces(const Box &within) : m_within(within) {}

  void occupy(const Box &box) { m_taken.push_back(box); }
  bool isFree(const Box &box) const { return covered(box) < 1; }

  // Places a word as near to `named` as possible and occupies its area. If there is no free place,
  // the word goes where it covers the least area.
  Box place(const Box &named, double width, double height);

private:
  double covered(const Box &box) const;

  Box m_within;
  std::vector<Box> m_taken;
};

} // namespace tessera::chart
