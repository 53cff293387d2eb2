// SPDX-License-Identifier: MIT
#include "samples/learned_demosaic/reference.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::samples::learned_demosaic {

namespace {

// Numbers that are uniformly distributed in [-size, size].
std::vector<float> randomNumbers(std::mt19937 &engine, int count, float size) {
  std::vector<float> values(count);
  for (float &value : values)
    value = (static_cast<float>(engine() / 4294967296.0) * 2.0f - 1.0f) * size;
  return values;
}

// The weights keep the scale of the numbers through a layer with ReLU, multiplied by `gain`.
Convolution randomLayer(std::mt19937 &engine, int from, int to, float gain) {
  const float size = std::sqrt(6.0f / static_cast<float>(9 * from)) * gain;
  return {to, from, randomNumbers(engine, to * 9 * from, size),
          randomNumbers(engine, to, 0.05f * gain)};
}

// Convolves at every place that a 3x3 window fits into.
Image<float> convolved(const Convolution &by, const Image<float> &in) {
  Image<float> out(in.width() - 2, in.height() - 2, by.to);
  for (int to = 0; to < by.to; ++to)
    for (int y = 0; y < out.height(); ++y)
      for (int x = 0; x < out.width(); ++x) {
        float sum = by.bias[to];
        for (int from = 0; from < by.from; ++from)
          for (int v = 0; v < 3; ++v)
            for (int u = 0; u < 3; ++u)
              sum += by.filter[((from * 3 + v) * 3 + u) * by.to + to] * in.at(x + u, y + v, from);
        out.at(x, y, to) = sum;
      }
  return out;
}

void cut(Image<float> &image) {
  for (std::size_t i = 0; i < image.size(); ++i)
    image.data()[i] = std::max(image.data()[i], 0.0f);
}

// Packs blocks of two by two pixels into pixels of four channels. `margin` further blocks on each
// side repeat the outermost ones.
Image<float> packed(const Image<float> &mosaic, int margin) {
  const int width = mosaic.width() / 2, height = mosaic.height() / 2;
  Image<float> out(width + 2 * margin, height + 2 * margin, 4);
  for (int c = 0; c < 4; ++c)
    for (int y = 0; y < out.height(); ++y)
      for (int x = 0; x < out.width(); ++x)
        out.at(x, y, c) = mosaic.at(2 * std::clamp(x - margin, 0, width - 1) + c % 2,
                                    2 * std::clamp(y - margin, 0, height - 1) + c / 2);
  return out;
}

} // namespace

Network makeNetwork(int layers, int features, std::uint32_t seed) {
  std::mt19937 engine(seed);
  Network network;
  for (int i = 0; i < layers; ++i)
    network.layers.push_back(randomLayer(engine, i == 0 ? 4 : features, features, 1.0f));
  network.layers.push_back(randomLayer(engine, features, 12, 0.02f));
  network.join = randomLayer(engine, 6, features, 0.1f);
  network.colors = randomNumbers(engine, 3 * features, 0.02f);
  // The first three features are the colours: the result of the layers plus the mean of the nearest
  // pixels of that colour.
  for (int c = 0; c < 3; ++c) {
    network.join.bias[c] = 0.0f;
    for (int from = 0; from < 6; ++from)
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
          const float tent = (1.0f - 0.5f * std::abs(u)) * (1.0f - 0.5f * std::abs(v));
          const float cross = u == 0 && v == 0 ? 1.0f : u == 0 || v == 0 ? 0.25f : 0.0f;
          float &weight = network.join.filter[((from * 3 + v + 1) * 3 + u + 1) * features + c];
          weight = from == c       ? (u == 0 && v == 0 ? 1.0f : 0.0f)
                   : from == 3 + c ? (c == 1 ? cross : tent)
                                   : 0.0f;
        }
    for (int to = 0; to < 3; ++to)
      network.colors[c * 3 + to] = c == to ? 1.0f : 0.0f;
  }
  return network;
}

Image<float> reference(const Network &network, const Image<float> &mosaic) {
  // The margin has one block for each layer, since a layer removes one block on each side, and one
  // more, which is left after the last layer.
  Image<float> layer = packed(mosaic, static_cast<int>(network.layers.size()) + 1);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    layer = convolved(network.layers[i], layer);
    if (i + 1 < network.layers.size()) cut(layer);
  }
  // `joined` has one pixel more than the picture on each side.
  const Image<float> blocks = packed(mosaic, 1);
  Image<float> joined(mosaic.width() + 2, mosaic.height() + 2, 6);
  for (int y = 0; y < joined.height(); ++y)
    for (int x = 0; x < joined.width(); ++x) {
      const int place = (x + 1) % 2 + 2 * ((y + 1) % 2);
      const int column = (x + 1) / 2, row = (y + 1) / 2;
      for (int c = 0; c < 3; ++c)
        joined.at(x, y, c) = layer.at(column, row, 4 * c + place);
      joined.at(x, y, 3 + (place + 1) / 2) = blocks.at(column, row, place);
    }
  Image<float> features = convolved(network.join, joined);
  cut(features);
  Image<float> result(mosaic.width(), mosaic.height(), 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < result.height(); ++y)
      for (int x = 0; x < result.width(); ++x)
        for (int f = 0; f < features.channels(); ++f)
          result.at(x, y, c) += network.colors[f * 3 + c] * features.at(x, y, f);
  return result;
}

} // namespace tessera::samples::learned_demosaic
