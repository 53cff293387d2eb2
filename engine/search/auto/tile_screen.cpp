// SPDX-License-Identifier: MIT
#include "engine/search/auto/tile_screen.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace tessera::search {

namespace {

// How much slower than the best tile a tile may be while its neighbours are still tried. With 1.3
// to 1.7, auto finds schedules as good as with all tiles (within 1.5 % in one of the samples, and
// less in the others).
constexpr double kNear = 1.3;
constexpr double kNever = std::numeric_limits<double>::infinity();

// Threads along x and y, then points per thread along x and y.
using Sizes = std::array<std::int64_t, 4>;
constexpr std::array<std::array<std::size_t, 2>, 4> kExchanges{{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};

Sizes sizesOf(const Tile &tile) {
  return {tile.threads[0], tile.threads[1], tile.points[0], tile.points[1]};
}

Tile withSizes(Tile tile, const Sizes &sizes) {
  tile.threads = {sizes[0], sizes[1]};
  tile.points = {sizes[2], sizes[3]};
  return tile;
}

bool isSample(const Tile &tile) {
  const std::int64_t threads = tile.threads[0] * tile.threads[1];
  if (threads != 128 && threads != 512) return false;
  if (tile.staged > 0) return tile.points == std::array<std::int64_t, 2>{2, 4};
  return tile.points[0] == 1 && (tile.points[1] == 1 || tile.points[1] == 4);
}

// Tiles that differ only in threads and points per dimension (Sizes).
class Family {
public:
  explicit Family(const Tile &tile) : m_tile(tile) {}

  void add(const Sizes &sizes) {
    m_sizes.insert(sizes);
    for (std::size_t d = 0; d < sizes.size(); ++d)
      m_values[d].insert(sizes[d]);
  }
  void note(const Sizes &sizes, double seconds) { m_seconds[sizes] = seconds; }

  // Walks from each predicted size to faster neighbours, beginning with the fastest. If no size of
  // the family has been predicted yet, all sizes are predicted.
  void walk(const PredictTile &predict, double &now) {
    if (m_seconds.empty()) {
      for (const Sizes &sizes : m_sizes)
        secondsOf(sizes, predict);
      return;
    }
    std::vector<Sizes> starts;
    for (const auto &[sizes, seconds] : m_seconds)
      starts.push_back(sizes);
    std::ranges::stable_sort(starts, {}, [this](const Sizes &sizes) { return m_seconds[sizes]; });
    for (const Sizes &start : starts)
      for (std::optional<Sizes> at = start; at && isPromising(m_seconds[*at], now);)
        at = fasterBeside(*at, predict, now);
  }

private:
  double secondsOf(const Sizes &sizes, const PredictTile &predict) {
    const auto known = m_seconds.find(sizes);
    if (known != m_seconds.end()) return known->second;
    return m_seconds[sizes] = predict(withSizes(m_tile, sizes)).value_or(kNever);
  }

  std::optional<Sizes> fasterBeside(const Sizes &center, const PredictTile &predict, double &now) {
    std::optional<Sizes> faster;
    double least = m_seconds[center];
    for (const Sizes &sizes : beside(center)) {
      const double seconds = secondsOf(sizes, predict);
      now = std::min(now, seconds);
      if (seconds >= least) continue;
      least = seconds;
      faster = sizes;
    }
    return faster;
  }

  std::vector<Sizes> beside(const Sizes &center) const {
    std::vector<Sizes> near;
    const auto add = [&](const Sizes &sizes) {
      if (m_sizes.contains(sizes)) near.push_back(sizes);
    };
    for (std::size_t d = 0; d < center.size(); ++d) {
      Sizes sizes = center;
      const auto value = m_values[d].find(center[d]);
      if (std::next(value) != m_values[d].end()) {
        sizes[d] = *std::next(value);
        add(sizes);
      }
      if (value != m_values[d].begin()) {
        sizes[d] = *std::prev(value);
        add(sizes);
      }
    }
    for (const auto &[one, other] : kExchanges) {
      add(exchanged(center, one, other));
      add(exchanged(center, other, one));
    }
    return near;
  }

  // Halves one size and doubles the other, if possible.
  static Sizes exchanged(Sizes sizes, std::size_t fewer, std::size_t more) {
    if (sizes[fewer] % 2 != 0) return sizes;
    sizes[fewer] /= 2;
    sizes[more] *= 2;
    return sizes;
  }

  Tile m_tile;
  std::set<Sizes> m_sizes;
  std::array<std::set<std::int64_t>, 4> m_values;
  std::map<Sizes, double> m_seconds; // seconds of the sizes predicted so far
};

} // namespace

bool isPromising(double seconds, double now) { return seconds <= kNear * now; }

void predictPromising(std::span<const Tile> tiles, double now, const PredictTile &predict) {
  std::vector<Family> families; // in the order of their first tiles in `tiles`
  std::map<Tile, std::size_t> places;
  for (const Tile &tile : tiles) {
    const auto [place, isNew] = places.try_emplace(withSizes(tile, {1, 1, 1, 1}), families.size());
    if (isNew) families.emplace_back(tile);
    Family &family = families[place->second];
    family.add(sizesOf(tile));
    if (!isSample(tile)) continue;
    const auto seconds = predict(tile);
    if (!seconds) continue;
    family.note(sizesOf(tile), *seconds);
    now = std::min(now, *seconds);
  }
  for (Family &family : families)
    family.walk(predict, now);
}

} // namespace tessera::search
