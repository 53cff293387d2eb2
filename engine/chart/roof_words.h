// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/turned_box.h"

#include <vector>

namespace tessera::chart {

// Finds places for the words of roofs along their lines: within the frame, over no mark, no other
// line and no other word. A word for which there is no place along all of its line loses its
// number, then itself.
class RoofWords {
public:
  explicit RoofWords(const Frame &frame);

  void keepOff(const TurnedBox &box) { m_taken.push_back(box); }
  void keepOffLine(Point from, Point to); // but its own word

  // Sets the label and where it is; it is taken then. No label: there is no place.
  void place(RoofLine &roof);
  void place(CompulsoryLine &line); // beside it, as low as there is room

private:
  bool isFree(const TurnedBox &box, const RoofLine &own) const;
  bool tryPlaces(RoofLine &roof) const;

  Box m_frame;
  std::vector<TurnedBox> m_taken;
  struct Line {
    Point from, to;
    TurnedBox box;
  };
  std::vector<Line> m_lines;
};

// What a word covers.
TurnedBox wordBoxOf(const RoofLine &roof);
TurnedBox wordBoxOf(const CompulsoryLine &line);

} // namespace tessera::chart
