// SPDX-License-Identifier: MIT
#include "samples/synthetic/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace tessera::samples::synthetic {

namespace {

// The result of one node. Pixels of integer nodes are at most 255, which a float holds exactly.
// Histograms are counted in ints.
struct Value {
  Image<float> pixels;
  bool integer = false;
  int level = 0;
};

// The arithmetic of one node where it differs between integers and floats.
struct Arithmetic {
  bool integer;

  float divided(float sum, int by) const {
    return integer ? static_cast<float>(static_cast<int>(sum) / by)
                   : sum * (1.0f / static_cast<float>(by));
  }
};

class Interpreter {
public:
  Interpreter(const std::vector<Node> &recipe, const Image<std::uint8_t> &input)
      : m_recipe(recipe), m_input{Image<float>(input.width(), input.height()), true, 0} {
    std::copy_n(input.data(), input.size(), m_input.pixels.data());
  }

  Image<float> run() {
    for (const Node &node : m_recipe)
      m_values.push_back(evaluate(node));
    return m_values.back().pixels;
  }

private:
  const Value &value(int node) const { return node == kInput ? m_input : m_values[node]; }

  // Reads a pixel of input `i` of a node. Coordinates at the node's level are scaled to the input's
  // level, shifted there, and clamped. A float node reads an integer as a share of 255.
  float read(const Node &node, std::size_t i, int x, int y, int dx = 0, int dy = 0) const {
    const Value &source = value(node.inputs[i]);
    const int finer = node.level - source.level;
    const int sx = finer >= 0 ? x << finer : x >> -finer;
    const int sy = finer >= 0 ? y << finer : y >> -finer;
    const float pixel = source.pixels.clamped(sx + dx, sy + dy);
    return source.integer && node.type == Type::F32 ? pixel * (1.0f / 255.0f) : pixel;
  }

  // Reads a pixel as an index, whatever the type of the node that reads it.
  int index(const Node &node, std::size_t i, int x, int y) const {
    Node integer = node;
    integer.type = Type::I32;
    return static_cast<int>(read(integer, i, x, y));
  }

  Value evaluate(const Node &node) const {
    const int round = (1 << node.level) - 1;
    Value result{Image<float>((m_input.pixels.width() + round) >> node.level,
                              (m_input.pixels.height() + round) >> node.level),
                 node.type != Type::F32, node.level};
    std::array<int, 256> counts{};
    if (node.kind == Kind::Histogram) counts = histogram(value(node.inputs[1]));
    for (int y = 0; y < result.pixels.height(); ++y)
      for (int x = 0; x < result.pixels.width(); ++x)
        result.pixels.at(x, y) = node.kind == Kind::Histogram
                                     ? share(node, counts, index(node, 0, x, y))
                                     : pixel(node, x, y);
    return result;
  }

  float pixel(const Node &node, int x, int y) const {
    const Arithmetic as{node.type != Type::F32};
    const auto a = [&](int dx, int dy) { return read(node, 0, x, y, dx, dy); };
    const auto b = [&] { return read(node, 1, x, y); };
    const bool alongX = node.variant % 2 == 0;
    const int distance = 1 + node.variant % 3;
    switch (node.kind) {
    case Kind::Blend:
      return as.divided(static_cast<float>(node.weight) * a(0, 0) +
                            static_cast<float>(16 - node.weight) * b(),
                        16);
    case Kind::Difference:
      return std::fabs(a(0, 0) - b());
    case Kind::Larger:
      return std::max(a(0, 0), b());
    case Kind::Mask:
      return static_cast<int>(b()) % 2 == 0 ? a(0, 0) : as.divided(a(0, 0), 2);
    case Kind::Curve:
      return curve(node, a(0, 0));
    case Kind::Rows:
      return as.divided(a(-distance, 0) + a(0, 0) + a(distance, 0), 3);
    case Kind::Columns:
      return as.divided(a(0, -distance) + a(0, 0) + a(0, distance), 3);
    case Kind::Binomial: {
      const auto along = [&](int d) { return alongX ? a(d, 0) : a(0, d); };
      return as.divided(along(-2) + 4 * along(-1) + 6 * along(0) + 4 * along(1) + along(2), 16);
    }
    case Kind::Cross:
      return as.divided(4 * a(0, 0) + a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1), 8);
    case Kind::Gradient:
      return as.divided(
          std::fabs(alongX ? a(distance, 0) - a(-distance, 0) : a(0, distance) - a(0, -distance)),
          2);
    case Kind::Shrink:
      return as.divided(a(0, 0) + a(1, 0) + a(0, 1) + a(1, 1), 4);
    case Kind::Enlarge: {
      const int dx = x % 2 == 0 ? -1 : 1;
      const int dy = y % 2 == 0 ? -1 : 1;
      return as.divided(9 * a(0, 0) + 3 * a(dx, 0) + 3 * a(0, dy) + a(dx, dy), 16);
    }
    case Kind::BoxSum: {
      float sum = 0.0f;
      for (int dy = -distance; dy <= distance; ++dy)
        for (int dx = -distance; dx <= distance; ++dx)
          sum += a(dx, dy) * (1.0f / static_cast<float>((2 * distance + 1) * (2 * distance + 1)));
      return sum;
    }
    case Kind::Dilate: {
      float most = 0.0f;
      for (int dy = -distance; dy <= distance; ++dy)
        for (int dx = -distance; dx <= distance; ++dx)
          most = std::max(most, a(dx, dy));
      return most;
    }
    case Kind::Table:
      return static_cast<float>((index(node, 0, x, y) * (node.weight + 16)) % 256);
    case Kind::Gather: {
      const int shift = index(node, 1, x, y) / 32 - 4;
      return alongX ? a(shift, 0) : a(0, shift);
    }
    case Kind::Histogram:
      break;
    }
    std::abort();
  }

  static float curve(const Node &node, float a) {
    if (node.type != Type::F32) {
      const int v = static_cast<int>(a);
      return static_cast<float>(node.variant % 3 == 0   ? 255 - v
                                : node.variant % 3 == 1 ? v * v / 255
                                                        : (v ^ 85));
    }
    switch (node.variant % 4) {
    case 0:
      return 1.0f - a;
    case 1:
      return 0.25f + 0.5f * a * a;
    case 2:
      return std::exp(-a);
    default:
      return std::sqrt(0.25f + 0.75f * a);
    }
  }

  static std::array<int, 256> histogram(const Value &source) {
    std::array<int, 256> counts{};
    for (std::size_t i = 0; i < source.pixels.size(); ++i)
      ++counts[static_cast<int>(source.pixels.data()[i])];
    return counts;
  }

  float share(const Node &node, const std::array<int, 256> &counts, int bin) const {
    const Image<float> &pixels = value(node.inputs[1]).pixels;
    return static_cast<float>(
        std::min(255, counts[bin] * 4096 / (pixels.width() * pixels.height())));
  }

  const std::vector<Node> &m_recipe;
  Value m_input;
  std::vector<Value> m_values;
};

} // namespace

Image<float> reference(const std::vector<Node> &recipe, const Image<std::uint8_t> &input) {
  return Interpreter(recipe, input).run();
}

} // namespace tessera::samples::synthetic
