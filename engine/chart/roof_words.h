// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/turned_box.h"

#include <vector>

namespace tessera::chart {

// Places the words of roofs along their lines: inside the frame, and without covering marks, other
// lines or other words. If there is no place along the whole line, the number at the end of the
// word is removed; if the rest still has no place, the word is left out.
class RoofWords {
public:
  explicit RoofWords(const Frame &frame);

  void keepOff(const TurnedBox &box) { m_taken.push_back(box); }
  void keepOffLine(Point from, Point to); // except for the line's own word

  // Sets the label and its position, and occupies its area. The label is empty if there is no
  // place.
  void place(RoofLine &roof);
  void place(CompulsoryLine &line); // beside the line, as low as possible

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

// The area that a word covers.
TurnedBox wordBoxOf(const RoofLine &roof);
TurnedBox wordBoxOf(const CompulsoryLine &line);

} // namespace tessera::chart
