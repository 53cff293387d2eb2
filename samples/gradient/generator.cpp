// SPDX-License-Identifier: MIT
// The third benchmark of the schedule-tree paper [Correa, Doenges, Recto 2019, "An Autoscheduler
// for Halide"]: f = x + y. Nothing is read, so the time is that of writing the result.
#include <Halide.h>

namespace {

using namespace Halide;

class Gradient : public Generator<Gradient> {
public:
  GeneratorParam<int> threadsX{"threads_x", 64};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> tall{"tall", 4};

  Output<Buffer<int, 2>> output{"output"};

  void generate() {
    output(x, y) = x + y;

    output.set_estimates({{0, kSize}, {0, kSize}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kSize = 2048;

  // Neighbouring threads write neighbouring pixels. Each thread writes several rows.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), yi("yi");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, threadsX, threadsY * tall.value())
        .split(yt, yt, yi, tall)
        .reorder(yi, xt, yt, xo, yo)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
  }

  Var x{"x"}, y{"y"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Gradient, gradient)
