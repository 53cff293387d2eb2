// SPDX-License-Identifier: MIT
// The second benchmark of the schedule-tree paper [Correa, Doenges, Recto 2019, "An Autoscheduler
// for Halide"]: a blur in two passes. Both passes go along x, as in the paper. Here the whole sum
// is divided by three; the formula in the paper divides only the last summand.
#include <Halide.h>

namespace {

using namespace Halide;

class TreeBlur : public Generator<TreeBlur> {
public:
  GeneratorParam<int> threadsX{"threads_x", 64};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 2};

  Input<Buffer<float, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"}; // from column 2 on: it reads two columns on each side

  void generate() {
    blurX(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
    output(x, y) = (blurX(x - 1, y) + blurX(x, y) + blurX(x + 1, y)) / 3;

    input.set_estimates({{0, kSize + 4}, {0, kSize}});
    output.set_estimates({{2, kSize}, {0, kSize}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kSize = 2048;

  // One kernel. A thread makes a small tile. Pixels that are neighbours in a row share values of
  // the first pass, which stay in registers.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, threadsX * wide.value(), threadsY * tall.value())
        .tile(xt, yt, xt, yt, xi, yi, wide, tall)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    blurX.compute_at(output, xt).store_in(MemoryType::Register).unroll(x).unroll(y);
  }

  Var x{"x"}, y{"y"};
  Func blurX{"blur_x"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(TreeBlur, tree_blur)
