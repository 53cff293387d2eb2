// SPDX-License-Identifier: MIT
#include "engine/search/tile_screen.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace tessera::search {

namespace {

// How much slower than the best tile its sample may be. Of the samples' pipelines, auto with 1.2
// ends 16 % slower in one (camera_pipe); with 1.5 it predicts 7 % more schedules for nothing.
constexpr double kNear = 1.3;
constexpr double kNever = std::numeric_limits<double>::infinity();

using Points = std::array<std::int64_t, 2>;

// Of the points of each thread.
bool isSample(const Tile &tile) {
  if (tile.staged > 0) return tile.points == Points{2, 4};
  return tile.points == Points{1, 1} || tile.points == Points{1, 4};
}

// Whether one step along a dimension leads from one to the other, in a list where none is between,
// or half as many in one and twice as many in the other.
bool isExchange(const Points &a, const Points &b) {
  return (a[0] == 2 * b[0] && 2 * a[1] == b[1]) || (2 * a[0] == b[0] && a[1] == 2 * b[1]);
}

// Tiles that are alike but for points.
class Family {
public:
  explicit Family(const Tile &tile) : m_tile(tile) {}

  void add(const Points &points) { m_points.push_back(points); }
  void note(const Points &points, double seconds) { m_seconds[points] = seconds; }
  bool isSampled() const { return !m_seconds.empty(); }
  double fastest() const { return isSampled() ? best()->second : kNever; }

  void predictAll(const PredictTile &predict) {
    for (const Points &points : m_points)
      one(points, predict);
  }

  void walk(const PredictTile &predict) {
    for (double before = kNever; fastest() < before;) {
      before = fastest();
      for (const Points &points : around(best()->first))
        if (!m_seconds.contains(points)) one(points, predict);
    }
  }

private:
  std::map<Points, double>::const_iterator best() const {
    return std::ranges::min_element(m_seconds, {}, [](const auto &known) { return known.second; });
  }

  void one(const Points &points, const PredictTile &predict) {
    Tile tile = m_tile;
    tile.points = points;
    note(points, predict(tile).value_or(kNever));
  }

  std::vector<Points> around(const Points &center) const {
    std::vector<Points> near;
    for (std::size_t d = 0; d < center.size(); ++d) {
      std::optional<Points> more, less;
      for (const Points &points : m_points) {
        if (points[1 - d] != center[1 - d]) continue;
        if (points[d] > center[d] && (!more || points[d] < (*more)[d])) more = points;
        if (points[d] < center[d] && (!less || points[d] > (*less)[d])) less = points;
      }
      if (more) near.push_back(*more);
      if (less) near.push_back(*less);
    }
    std::ranges::copy_if(m_points, std::back_inserter(near),
                         [&](const Points &points) { return isExchange(points, center); });
    return near;
  }

  Tile m_tile;
  std::vector<Points> m_points;
  std::map<Points, double> m_seconds; // of those that were predicted
};

} // namespace

bool isPromising(double seconds, double now) { return seconds <= kNear * now; }

void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict) {
  std::vector<Family> families; // in the order of the tiles
  std::map<Tile, std::size_t> places;
  for (const Tile &tile : tiles) {
    Tile first = tile;
    first.points = {1, 1};
    const auto [place, isNew] = places.try_emplace(first, families.size());
    if (isNew) families.emplace_back(tile);
    Family &family = families[place->second];
    family.add(tile.points);
    if (!isSample(tile)) continue;
    const auto seconds = predict(tile);
    if (!seconds) continue;
    family.note(tile.points, *seconds);
    now = std::min(now, *seconds);
  }
  for (Family &family : families)
    if (!family.isSampled()) // nothing speaks against it
      family.predictAll(predict);
    else if (isPromising(family.fastest(), now))
      family.walk(predict);
}

} // namespace tessera::search
