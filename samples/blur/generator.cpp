// SPDX-License-Identifier: MIT
// The 3x3 box blur in two passes, the running example of the Halide papers.
#include <Halide.h>

namespace {

using namespace Halide;

class Blur : public Generator<Blur> {
public:
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 4};

  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    blurX(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3;
    output(x, y) = (blurX(x, y) + blurX(x, y + 1) + blurX(x, y + 2)) / 3;

    input.set_estimates({{0, kWidth + 2}, {0, kHeight + 2}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 2560;
  static constexpr int kHeight = 1920;

  // One kernel. A thread makes a small tile of the output, so that a row of blurX is computed once
  // and used three times from registers.
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

HALIDE_REGISTER_GENERATOR(Blur, blur)
