// SPDX-License-Identifier: MIT
// Harris corner response [Harris and Stephens 1988]: luminance, Sobel gradients, 3x3 sums of their
// products, determinant and trace.
#include <Halide.h>

namespace {

using namespace Halide;

class Harris : public Generator<Harris> {
public:
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 4};

  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);

    const float edge = 1.0f / 12.0f;
    const float middle = 2.0f / 12.0f;
    dy(x, y) = edge * (gray(x - 1, y + 1) - gray(x - 1, y - 1)) +
               middle * (gray(x, y + 1) - gray(x, y - 1)) +
               edge * (gray(x + 1, y + 1) - gray(x + 1, y - 1));
    dx(x, y) = edge * (gray(x + 1, y - 1) - gray(x - 1, y - 1)) +
               middle * (gray(x + 1, y) - gray(x - 1, y)) +
               edge * (gray(x + 1, y + 1) - gray(x - 1, y + 1));

    xx(x, y) = dx(x, y) * dx(x, y);
    yy(x, y) = dy(x, y) * dy(x, y);
    xy(x, y) = dx(x, y) * dy(x, y);
    sumXx(x, y) = boxSum(xx);
    sumYy(x, y) = boxSum(yy);
    sumXy(x, y) = boxSum(xy);

    determinant(x, y) = sumXx(x, y) * sumYy(x, y) - sumXy(x, y) * sumXy(x, y);
    trace(x, y) = sumXx(x, y) + sumYy(x, y);
    output(x, y) = determinant(x, y) - 0.04f * trace(x, y) * trace(x, y);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.set_estimates({{3, kWidth - 6}, {3, kHeight - 6}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  Expr boxSum(Func f) const {
    Expr sum = 0.0f;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        sum = i == -1 && j == -1 ? f(x + i, y + j) : sum + f(x + i, y + j);
    return sum;
  }

  // One kernel. The luminance of a tile goes through shared memory; gradients live in the
  // registers of a thread, which makes a small tile of the output from them.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, threadsX * wide.value(), threadsY * tall.value())
        .tile(xt, yt, xt, yt, xi, yi, wide, tall)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    for (Func f : {dx, dy})
      f.compute_at(output, xt).store_in(MemoryType::Register).unroll(x).unroll(y);
    gray.compute_at(output, xo)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yi, threadsY, TailStrategy::GuardWithIf)
        .reorder(xo, yo, xi, yi)
        .unroll(xo)
        .unroll(yo)
        .gpu_threads(xi, yi);
  }

  Var x{"x"}, y{"y"};
  Func gray{"gray"}, dx{"dx"}, dy{"dy"}, xx{"xx"}, yy{"yy"}, xy{"xy"};
  Func sumXx{"sum_xx"}, sumYy{"sum_yy"}, sumXy{"sum_xy"};
  Func determinant{"determinant"}, trace{"trace"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
