// SPDX-License-Identifier: MIT
#include "tests/engine/halide/random_index.h"

namespace tessera::halide::testing {

using Halide::Expr;

Expr linearIndex(Draw &draw, const std::vector<Expr> &loops) {
  const auto last = static_cast<int>(loops.size()) - 1;
  const Expr &first = loops[static_cast<std::size_t>(draw.pick(0, last))];
  Expr e = draw.pick(0, 3) == 0 ? first * draw.pick(2, 4) : first;
  if (loops.size() > 1 && draw.chance(40)) {
    const Expr &second = loops[static_cast<std::size_t>(draw.pick(0, last))];
    e = draw.chance(70) ? e + second * draw.pick(1, 3) : e - second;
  }
  return draw.chance(60) ? e + draw.pick(-4, 4) : e;
}

Expr affineIndex(Draw &draw, const std::vector<Expr> &loops, int depth) {
  Expr e = linearIndex(draw, loops);
  for (int i = 0; i < depth; ++i) {
    switch (draw.pick(0, 7)) {
    case 0:
      e = e / draw.pick(2, 5);
      break;
    case 1:
      e = (e + draw.pick(-3, 3)) / 2;
      break;
    case 2:
      e = e >> draw.pick(1, 3);
      break;
    case 3:
      e = clamp(e, draw.pick(-5, 3), draw.pick(50, 250));
      break;
    case 4:
      e = draw.chance(50) ? min(e, draw.pick(20, 200)) : max(e, draw.pick(-10, 10));
      break;
    case 5:
      e = e * draw.pick(2, 3) + draw.pick(-2, 2);
      break;
    case 6:
      e = likely(e) + draw.pick(-2, 2);
      break;
    default:
      e = draw.pick(0, 1) ? e - draw.pick(0, 3) : draw.pick(0, 99) - e;
      break;
    }
  }
  return e;
}

} // namespace tessera::halide::testing
