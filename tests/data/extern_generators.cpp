// SPDX-License-Identifier: MIT
// Generators with extern stages. The function of `doubling` is in another file; that of `tripling`
// is a generator in this one.

#include <Halide.h>

namespace {

using Halide::Func;
using Halide::Int;
using Plane = Halide::Buffer<int, 2>;

class Doubling : public Halide::Generator<Doubling> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Func brighter("brighter"), doubled("doubled");
    brighter(x, y) = input(x, y) + 1;
    doubled.define_extern("tessera_test_double", {brighter}, Int(32), 2);
    output(x, y) = doubled(x, y) + doubled(x + 1, y);
    input.set_estimates({{0, 65}, {0, 48}});
    brighter.set_estimates({{0, 65}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }

private:
  Halide::Var x{"x"}, y{"y"};
};

class Tripling : public Halide::Generator<Tripling> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Func darker("darker"), by3("by3");
    darker(x, y) = input(x, y) - 1;
    by3.define_extern("tripled", {darker}, Int(32), 2);
    output(x, y) = by3(x, y) + 1;
    input.set_estimates({{0, 64}, {0, 48}});
    darker.set_estimates({{0, 64}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }

private:
  Halide::Var x{"x"}, y{"y"};
};

class Tripled : public Halide::Generator<Tripled> {
public:
  Input<Plane> input{"input"};
  Output<Plane> output{"output"};

  void generate() {
    Halide::Var x, y;
    output(x, y) = input(x, y) * 3;
    output.set_estimates({{0, 64}, {0, 48}});
  }
};

} // namespace

HALIDE_REGISTER_GENERATOR(Doubling, doubling)
HALIDE_REGISTER_GENERATOR(Tripling, tripling)
HALIDE_REGISTER_GENERATOR(Tripled, tripled)
