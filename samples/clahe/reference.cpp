// SPDX-License-Identifier: MIT
#include "samples/clahe/reference.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tessera::samples::clahe {

namespace {

constexpr int kBins = 256;
using Table = std::array<int, kBins>; // for each value, how many pixels have at most that value

Table tableOf(const Image<std::uint8_t> &image, const Tiles &tiles, int tileX, int tileY) {
  Table counts{};
  for (int y = 0; y < tiles.height; ++y)
    for (int x = 0; x < tiles.width; ++x)
      ++counts[image.clamped(tileX * tiles.width + x, tileY * tiles.height + y)];
  const int limit = std::max(1, tiles.most * tiles.width * tiles.height / kBins);
  int excess = 0;
  for (int &count : counts) {
    excess += std::max(count - limit, 0);
    count = std::min(count, limit);
  }
  int sum = 0;
  for (int value = 0; value < kBins; ++value) {
    sum += counts[value] + excess / kBins + (value < excess % kBins ? 1 : 0);
    counts[value] = sum;
  }
  return counts;
}

// The tiles before and behind a pixel, and how far the pixel is between their centres.
struct Between {
  int first = 0, second = 0;
  float part = 0;
};

Between between(int pixel, int size, int tiles) {
  const int doubled = 2 * pixel + 1 - size + 2 * size; // one tile further, so that it is positive
  const int tile = doubled / (2 * size) - 1;
  return {std::clamp(tile, 0, tiles - 1), std::clamp(tile + 1, 0, tiles - 1),
          static_cast<float>(doubled % (2 * size)) / (2.0f * static_cast<float>(size))};
}

float mix(float a, float b, float part) { return a + (b - a) * part; }

} // namespace

Image<std::uint8_t> reference(const Image<std::uint8_t> &input, const Tiles &tiles) {
  const int across = (input.width() - 1) / tiles.width + 1;
  const int down = (input.height() - 1) / tiles.height + 1;
  std::vector<Table> tables;
  for (int tileY = 0; tileY < down; ++tileY)
    for (int tileX = 0; tileX < across; ++tileX)
      tables.push_back(tableOf(input, tiles, tileX, tileY));

  const float scale = 255.0f / static_cast<float>(tiles.width * tiles.height);
  Image<std::uint8_t> result(input.width(), input.height());
  for (int y = 0; y < input.height(); ++y)
    for (int x = 0; x < input.width(); ++x) {
      const Between h = between(x, tiles.width, across), v = between(y, tiles.height, down);
      const auto valueIn = [&](int tileX, int tileY) {
        return static_cast<float>(tables[tileY * across + tileX][input.at(x, y)]);
      };
      const float upper = mix(valueIn(h.first, v.first), valueIn(h.second, v.first), h.part);
      const float lower = mix(valueIn(h.first, v.second), valueIn(h.second, v.second), h.part);
      result.at(x, y) = static_cast<std::uint8_t>(
          std::clamp(mix(upper, lower, v.part) * scale + 0.5f, 0.0f, 255.0f));
    }
  return result;
}

} // namespace tessera::samples::clahe
