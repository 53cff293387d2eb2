// SPDX-License-Identifier: MIT
#include "engine/search/tile_screen.h"

#include <algorithm>

namespace tessera::search {

namespace {

// How much slower than the best tile its sample may be. Of the samples' pipelines, auto with 1.2
// ends 16 % slower in one (camera_pipe); with 1.5 it predicts 7 % more schedules for nothing.
constexpr double kNear = 1.3;

Tile withOnePoint(Tile tile) {
  tile.points = {1, 1};
  return tile;
}

} // namespace

bool TileScreen::isSample(const Tile &tile) {
  return tile.points[0] == 1 && (tile.points[1] == 1 || tile.points[1] == 4);
}

void TileScreen::note(const Tile &sample, double seconds) {
  double &fastest = m_samples.try_emplace(withOnePoint(sample), seconds).first->second;
  fastest = std::min(fastest, seconds);
  m_least = std::min(m_least, seconds);
}

// Where a sample was not predicted, as it is what there is for instance, nothing speaks against it.
bool TileScreen::isHopeful(const Tile &tile) const {
  const auto sample = m_samples.find(withOnePoint(tile));
  return sample == m_samples.end() || isNear(sample->second);
}

bool TileScreen::isNear(double seconds) const { return seconds <= kNear * m_least; }

} // namespace tessera::search
