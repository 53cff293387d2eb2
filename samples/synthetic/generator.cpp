// SPDX-License-Identifier: MIT
// A random layered DAG of image operations: translates a recipe into Halide funcs.
#include "samples/synthetic/recipe.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;
using tessera::samples::synthetic::Kind;
using tessera::samples::synthetic::Node;
namespace synthetic = tessera::samples::synthetic;

const char *nameOf(Kind kind) {
  static constexpr const char *kNames[] = {
      "blend",   "difference", "larger", "mask",      "curve",  "rows",
      "columns", "binomial",   "cross",  "gradient",  "shrink", "enlarge",
      "box_sum", "dilate",     "table",  "histogram", "gather"};
  return kNames[static_cast<int>(kind)];
}

class Synthetic : public Generator<Synthetic> {
public:
  GeneratorParam<int> stages{"stages", 100, 2, 100000};
  GeneratorParam<int> layers{"layers", 10, 1, 100000};
  GeneratorParam<int> seed{"seed", 1};

  Input<Buffer<uint8_t, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    // The pipeline has one definition more than its recipe: the output func.
    m_recipe =
        synthetic::makeRecipe({stages - 1, layers, static_cast<std::uint64_t>(seed.value())});
    for (std::size_t i = 0; i < m_recipe.size(); ++i)
      define(m_recipe[i], i);
    output(x, y) = m_values.back()(x, y);

    input.set_estimates({{0, kSize}, {0, kSize}});
    output.set_estimates({{0, kSize}, {0, kSize}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kSize = 1024;

  Expr extent(int dimension, int level) {
    return (input.dim(dimension).extent() + ((1 << level) - 1)) >> level;
  }

  static Expr scaled(Expr v, int by) {
    return by > 0 ? v * (1 << by) : by < 0 ? v / (1 << -by) : v;
  }

  // Reads a pixel of input `i` of a node. Interpreter::read() in reference.cpp does the same.
  Expr raw(const Node &node, std::size_t i, Expr dx, Expr dy) {
    const int source = node.inputs[i];
    const int level = source == synthetic::kInput ? 0 : m_recipe[source].level;
    Expr sx = clamp(scaled(x, node.level - level) + dx, 0, extent(0, level) - 1);
    Expr sy = clamp(scaled(y, node.level - level) + dy, 0, extent(1, level) - 1);
    return source == synthetic::kInput ? input(sx, sy) : m_values[source](sx, sy);
  }

  Expr read(const Node &node, std::size_t i, Expr dx, Expr dy) {
    Expr pixel = raw(node, i, dx, dy);
    if (node.type != synthetic::Type::F32) return cast<int>(pixel);
    return pixel.type().is_float() ? pixel : cast<float>(pixel) * (1.0f / 255.0f);
  }

  static Expr divided(Expr sum, int by) {
    return sum.type().is_float() ? sum * (1.0f / static_cast<float>(by)) : sum / by;
  }

  static Expr stored(const Node &node, Expr value) {
    return node.type == synthetic::Type::U8 ? cast<uint8_t>(value) : value;
  }

  void define(const Node &node, std::size_t number) {
    const bool isFloat = node.type == synthetic::Type::F32;
    std::string label("s");
    label.append(std::to_string(number));
    Func f(label + "_" + nameOf(node.kind));
    const int distance = 1 + node.variant % 3;
    switch (node.kind) {
    case Kind::BoxSum: {
      RDom r(-distance, 2 * distance + 1, -distance, 2 * distance + 1);
      const int count = (2 * distance + 1) * (2 * distance + 1);
      f(x, y) = 0.0f;
      f(x, y) += read(node, 0, r.x, r.y) * (1.0f / static_cast<float>(count));
      break;
    }
    case Kind::Dilate: {
      RDom r(-distance, 2 * distance + 1, -distance, 2 * distance + 1);
      f(x, y) = stored(node, 0);
      f(x, y) = max(f(x, y), stored(node, read(node, 0, r.x, r.y)));
      break;
    }
    case Kind::Table: {
      Func table(label + "_entries");
      table(entry) = cast<uint8_t>((entry * (node.weight + 16)) % 256);
      f(x, y) = stored(node, cast<int>(table(clamp(read(node, 0, 0, 0), 0, 255))));
      m_tables.push_back(table);
      break;
    }
    case Kind::Histogram: {
      Func bins(label + "_bins");
      const int source = node.inputs[1];
      const int level = source == synthetic::kInput ? 0 : m_recipe[source].level;
      RDom r(0, extent(0, level), 0, extent(1, level));
      Expr pixel = source == synthetic::kInput ? Expr(input(r.x, r.y)) : m_values[source](r.x, r.y);
      bins(entry) = 0;
      bins(clamp(cast<int>(pixel), 0, 255)) += 1;
      Expr count = bins(clamp(read(node, 0, 0, 0), 0, 255));
      f(x, y) = stored(node, min(255, count * 4096 / (extent(0, level) * extent(1, level))));
      m_histograms.push_back(bins);
      break;
    }
    default:
      f(x, y) = isFloat ? pixel(node) : stored(node, pixel(node));
    }
    m_values.push_back(f);
  }

  Expr pixel(const Node &node) {
    const auto a = [&](Expr dx, Expr dy) { return read(node, 0, dx, dy); };
    const auto b = [&] { return read(node, 1, 0, 0); };
    const bool alongX = node.variant % 2 == 0;
    const int distance = 1 + node.variant % 3;
    switch (node.kind) {
    case Kind::Blend:
      return divided(node.weight * a(0, 0) + (16 - node.weight) * b(), 16);
    case Kind::Difference:
      return absolute(a(0, 0) - b());
    case Kind::Larger:
      return max(a(0, 0), b());
    case Kind::Mask:
      return select(b() % 2 == 0, a(0, 0), a(0, 0) / 2);
    case Kind::Curve:
      return curve(node, a(0, 0));
    case Kind::Rows:
      return divided(a(-distance, 0) + a(0, 0) + a(distance, 0), 3);
    case Kind::Columns:
      return divided(a(0, -distance) + a(0, 0) + a(0, distance), 3);
    case Kind::Binomial: {
      const auto along = [&](int d) { return alongX ? a(d, 0) : a(0, d); };
      return divided(along(-2) + 4 * along(-1) + 6 * along(0) + 4 * along(1) + along(2), 16);
    }
    case Kind::Cross:
      return divided(4 * a(0, 0) + a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1), 8);
    case Kind::Gradient:
      return divided(
          absolute(alongX ? a(distance, 0) - a(-distance, 0) : a(0, distance) - a(0, -distance)),
          2);
    case Kind::Shrink:
      return divided(a(0, 0) + a(1, 0) + a(0, 1) + a(1, 1), 4);
    case Kind::Enlarge: {
      Expr dx = x % 2 * 2 - 1;
      Expr dy = y % 2 * 2 - 1;
      return divided(9 * a(0, 0) + 3 * a(dx, 0) + 3 * a(0, dy) + a(dx, dy), 16);
    }
    default: { // only Gather: define() handles the other kinds
      Expr shift = clamp(cast<int>(raw(node, 1, 0, 0)), 0, 255) / 32 - 4;
      return alongX ? a(shift, 0) : a(0, shift);
    }
    }
  }

  // Halide's abs() of an int is unsigned.
  static Expr absolute(Expr value) {
    return value.type().is_float() ? abs(value) : cast<int>(abs(value));
  }

  static Expr curve(const Node &node, Expr a) {
    if (node.type != synthetic::Type::F32)
      return node.variant % 3 == 0 ? 255 - a : node.variant % 3 == 1 ? a * a / 255 : (a ^ 85);
    switch (node.variant % 4) {
    case 0:
      return 1.0f - a;
    case 1:
      return 0.25f + 0.5f * a * a;
    case 2:
      return exp(-a);
    default:
      return sqrt(0.25f + 0.75f * a);
    }
  }

  // A pointwise node that only one other pointwise node reads is inlined. Every other func has a
  // kernel of its own, and a histogram has one kernel for each of its definitions.
  void scheduleForGpu() {
    for (std::size_t i = 0; i < m_recipe.size(); ++i)
      if (!isTrivial(i)) scheduleImage(m_values[i]);
    for (Func &table : m_tables)
      table.compute_root().gpu_tile(entry, bo, bi, 64);
    for (Func &bins : m_histograms) {
      RVar ro("ro"), ri("ri"), so("so"), si("si");
      bins.compute_root().gpu_tile(entry, bo, bi, 64);
      const std::vector<RVar> r = {RVar(bins.rvars(0)[0].name()), RVar(bins.rvars(0)[1].name())};
      bins.update().atomic().gpu_tile(r[0], r[1], ro, so, ri, si, 32, 4);
    }
    Func(output).gpu_tile(x, y, xo, yo, xi, yi, 32, 4);
  }

  void scheduleImage(Func f) {
    f.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 32, 4);
    if (f.has_update_definition()) f.update().gpu_tile(x, y, xo, yo, xi, yi, 32, 4);
  }

  bool isTrivial(std::size_t node) const {
    if (!synthetic::isPointwise(m_recipe[node].kind)) return false;
    int readers = 0;
    bool pointwise = true;
    for (const Node &other : m_recipe)
      for (int source : other.inputs)
        if (source == static_cast<int>(node)) {
          ++readers;
          pointwise = pointwise && synthetic::isPointwise(other.kind);
        }
    return readers <= 1 && pointwise;
  }

  Var x{"x"}, y{"y"}, entry{"entry"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, bo{"bo"}, bi{"bi"};
  std::vector<Node> m_recipe;
  std::vector<Func> m_values, m_tables, m_histograms;
};

} // namespace

HALIDE_REGISTER_GENERATOR(Synthetic, synthetic)
