// SPDX-License-Identifier: MIT
#include "tests/campaigns/planted/typed_pipelines.h"

namespace tessera::halide::testing {

namespace {

using namespace Halide;

constexpr int kWidth = 256, kHeight = 192; // of the outputs
constexpr int kTaps = 9;

class Typed {
public:
  explicit Typed(const Type &type) : m_type(type) {}

  Pipeline stencil() {
    ImageParam in = input();
    Func columns("columns"), output("output");
    columns(x, y) = cast(m_type, in(x, y) + in(x + 2, y));
    output(x, y) = cast(m_type, columns(x, y) + columns(x, y + 1) + columns(x, y + 3));
    return made(output);
  }

  Pipeline sum() {
    ImageParam in = input();
    Func output("output");
    const RDom r(0, kTaps);
    output(x, y) = cast(m_type, 0);
    output(x, y) += cast(m_type, in(x, y + r) * in(x + r, y));
    return made(output);
  }

  Pipeline scan() {
    ImageParam in = input();
    Func output("output");
    const RDom r(1, kWidth - 1);
    output(x, y) = in(x, y);
    output(r, y) = cast(m_type, output(r - 1, y) / 2 + in(r, y));
    return made(output);
  }

  Pipeline label() {
    ImageParam in = input();
    Func best("best"), output("output");
    const RDom r(0, kTaps);
    best(x, y) = Tuple(in(x, y), 0);
    const Expr cost = in(x + r, y);
    best(x, y) = Tuple(select(cost < best(x, y)[0], cost, best(x, y)[0]),
                       select(cost < best(x, y)[0], Expr(r), best(x, y)[1]));
    output(x, y) = cast<std::uint8_t>(best(x, y)[1]);
    return made(output);
  }

  Pipeline mask() {
    ImageParam in = input();
    Func output("output");
    output(x, y) = in(x, y) / 2 + in(x + 1, y) / 2 > in(x, y + 1);
    return made(output);
  }

private:
  ImageParam input() const { return {m_type, 2, "in"}; }
  static Pipeline made(Func output) {
    output.set_estimates({{0, kWidth}, {0, kHeight}});
    return Pipeline(output);
  }

  Type m_type;
  Var x{"x"}, y{"y"};
};

std::string nameOf(const Type &type) {
  const char *kind = type.is_bfloat()  ? "bfloat"
                     : type.is_float() ? "float"
                     : type.is_int()   ? "int"
                                       : "uint";
  return kind + std::to_string(type.bits());
}

} // namespace

std::vector<std::pair<std::string, Pipeline>> typedPipelines() {
  std::vector<std::pair<std::string, Pipeline>> all;
  for (const Type &type : {UInt(8), Int(8), UInt(16), Int(16), UInt(32), Int(32), UInt(64), Int(64),
                           Float(16), BFloat(16), Float(32), Float(64)}) {
    Typed typed(type);
    const std::string name = "_" + nameOf(type);
    all.emplace_back("stencil" + name, typed.stencil());
    all.emplace_back("sum" + name, typed.sum());
    all.emplace_back("scan" + name, typed.scan());
    all.emplace_back("label" + name, typed.label());
    all.emplace_back("mask" + name, typed.mask());
  }
  return all;
}

} // namespace tessera::halide::testing
