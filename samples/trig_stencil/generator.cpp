// SPDX-License-Identifier: MIT
// The first benchmark of the schedule-tree paper [Correa, Doenges, Recto 2019, "An Autoscheduler
// for Halide"]: an expensive value, then the sum of it over 2x2 pixels. The question is whether to
// store the value or to compute it four times.
#include <Halide.h>

namespace {

using namespace Halide;

class TrigStencil : public Generator<TrigStencil> {
public:
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 4};

  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    // The root is not a number where the sum is negative, which is half of the plane. The paper
    // defines it like this.
    g(x, y) = sqrt(cos(cast<float>(x)) + sin(cast<float>(y)));
    output(x, y) = g(x + 1, y) + g(x, y) + g(x + 1, y + 1) + g(x, y + 1);

    output.set_estimates({{0, kSize}, {0, kSize}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kSize = 2048;

  // One kernel. A thread keeps the values under its tile of the output in registers. Because the
  // tile is unrolled, the cosine of a column and the sine of a row are computed once for the whole
  // tile.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, threadsX * wide.value(), threadsY * tall.value())
        .tile(xt, yt, xt, yt, xi, yi, wide, tall)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    g.compute_at(output, xt).store_in(MemoryType::Register).unroll(x).unroll(y);
  }

  Var x{"x"}, y{"y"};
  Func g{"g"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(TrigStencil, trig_stencil)
