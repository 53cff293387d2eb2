// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/group.h"

#include <map>

namespace tessera::search {

// Which of many tiles are worth a prediction. Samples are: those with one point for each thread, or
// with four in a column. Tiles with other points are whose samples, alike in all else, come near
// the best one or what there is.
class TileScreen {
public:
  // What there is takes so long.
  explicit TileScreen(double seconds) : m_least(seconds) {}

  static bool isSample(const Tile &tile);
  void note(const Tile &sample, double seconds);
  // Once all samples are noted.
  bool isHopeful(const Tile &tile) const;
  // Of something that took so long.
  bool isNear(double seconds) const;

private:
  double m_least;
  std::map<Tile, double> m_samples; // the fastest, of each tile with one point
};

} // namespace tessera::search
