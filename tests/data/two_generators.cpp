// SPDX-License-Identifier: MIT
// Two generators in one library. tst_open opens it as a library and as a source.

#include <Halide.h>

namespace {

enum class Filter { Box, Tent };

class Smooth : public Halide::Generator<Smooth> {
public:
  GeneratorParam<int> radius{"radius", 1, 1, 8};
  GeneratorParam<Filter> filter{
      "filter", Filter::Box, {{"box", Filter::Box}, {"tent", Filter::Tent}}};
  Input<Buffer<float, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    Func sum("sum");
    const int reach = radius;
    Halide::Expr total = 0.0f;
    for (int i = -reach; i <= reach; ++i) {
      const float weight = filter == Filter::Box ? 1.0f : 1.0f + reach - std::abs(i);
      total += weight * input(x + i, y);
    }
    sum(x, y) = total;
    output(x, y) = sum(x, y) / (2.0f * reach + 1.0f);
    if (using_autoscheduler()) return;
    sum.compute_root();
    output.bound(y, 0, output.dim(1).extent()).vectorize(x, 8);
    input.dim(0).set_bounds(-8, 80);
    input.dim(1).set_stride(80);
  }

  void schedule() {
    input.set_estimates({{-8, 80}, {0, 48}});
    output.set_estimates({{0, 64}, {0, 48}});
  }

private:
  Halide::Var x{"x"}, y{"y"};
};

class Twice : public Halide::Generator<Twice> {
public:
  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<float> gain{"gain"};
  Output<Buffer<float, 1>> output{"output"};

  void generate() { output(x) = input(x) * gain; }
  void schedule() {} // sets no estimates

private:
  Halide::Var x{"x"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Smooth, smooth)
HALIDE_REGISTER_GENERATOR(Twice, twice)
