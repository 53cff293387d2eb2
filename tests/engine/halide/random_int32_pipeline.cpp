// SPDX-License-Identifier: MIT
#include "tests/engine/halide/random_index.h"
#include "tests/engine/halide/random_pipeline.h"

#include <vector>

namespace tessera::halide::testing {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

class Int32Generator {
public:
  explicit Int32Generator(std::uint64_t seed)
      : m_draw(seed), m_input(Halide::type_of<std::uint8_t>(), 2) {}

  Halide::Pipeline make() {
    m_input.dim(0).set_estimate(0, 300);
    m_input.dim(1).set_estimate(0, 200);
    const int funcs = pick(3, 9);
    for (int i = 0; i < funcs; ++i)
      addFunc();
    m_funcs.back().set_estimates({{0, 256}, {0, 128}});
    return Halide::Pipeline(m_funcs.back());
  }

private:
  int pick(int low, int high) { return m_draw.pick(low, high); }
  bool chance(int percent) { return m_draw.chance(percent); }
  Expr affine(const std::vector<Expr> &loops, int depth) {
    return affineIndex(m_draw, loops, depth);
  }

  Expr index(const std::vector<Expr> &loops) {
    if (chance(88)) return affine(loops, pick(0, 3));
    switch (pick(0, 4)) {
    case 0:
      return affine(loops, 1) % pick(2, 9);
    case 1:
      return clamp(loops[0] * loops.back(), 0, 255);
    case 2:
      return select(loops[0] < 7, affine(loops, 1), affine(loops, 1));
    case 3:
      return clamp(Halide::cast<int>(load(loops, false)), 0, 255);
    default:
      return clamp(Halide::cast<int>(abs(affine(loops, 0))), 0, 99);
    }
  }

  Expr load(const std::vector<Expr> &loops, bool anyIndex) {
    const auto at = [&] { return anyIndex ? index(loops) : linearIndex(m_draw, loops); };
    const int which = pick(0, static_cast<int>(m_funcs.size()));
    // The input has bounds, but funcs of a pipeline have none.
    if (which == 0 || m_funcs.empty())
      return Halide::cast<int>(m_input(clamp(at(), 0, 299), clamp(at(), 0, 199)));
    return m_funcs[static_cast<std::size_t>(which) - 1](clamp(at(), -1000, 2000),
                                                        clamp(at(), -1000, 2000));
  }

  void addFunc() {
    Func f;
    Var x, y;
    Expr value = load({x, y}, true);
    for (int i = pick(0, 2); i > 0; --i)
      value = value + load({x, y}, true);
    f(x, y) = value;
    if (chance(35)) {
      const Halide::RDom r(pick(-2, 1), pick(1, 6), 0, pick(1, 4));
      f(x, y) += load({x, y, r.x, r.y}, true);
    }
    if (chance(10)) {
      const Halide::RDom r(1, pick(3, 30));
      f(r, y) += f(r - 1, y);
    }
    m_funcs.push_back(f);
  }

  Draw m_draw;
  Halide::ImageParam m_input;
  std::vector<Func> m_funcs;
};

} // namespace

Halide::Pipeline randomInt32Pipeline(std::uint64_t seed) { return Int32Generator(seed).make(); }

} // namespace tessera::halide::testing
