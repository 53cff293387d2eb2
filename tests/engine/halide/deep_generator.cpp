// SPDX-License-Identifier: MIT
// A chain of stencils. Lowering it would never end if everything were inlined, which is Halide's
// default.
#include <Halide.h>

namespace {

class Deep : public Halide::Generator<Deep> {
public:
  Input<Buffer<float, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    Halide::Var x("x"), y("y");
    Halide::Func last = input;
    for (int i = 0; i < 39; ++i) {
      Halide::Func next("step_" + std::to_string(i));
      next(x, y) = last(x, y) + last(x + 1, y) * last(x, y + 1);
      if (!using_autoscheduler()) next.compute_root();
      last = next;
    }
    output(x, y) = last(x, y);
    input.set_estimates({{0, 300}, {0, 300}});
    output.set_estimates({{0, 256}, {0, 256}});
  }
};

} // namespace

HALIDE_REGISTER_GENERATOR(Deep, deep)
