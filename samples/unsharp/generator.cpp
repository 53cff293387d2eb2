// SPDX-License-Identifier: MIT
// Unsharp mask: the luminance is sharpened by its difference from its 7x7 Gaussian blur, and the
// colours are scaled by the ratio of the sharpened to the old luminance.
#include <Halide.h>

#include <cmath>
#include <numbers>

namespace {

using namespace Halide;

class Unsharp : public Generator<Unsharp> {
public:
  GeneratorParam<float> sigma{"sigma", 1.5f};
  GeneratorParam<int> threadsX{"threads_x", 64};
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> tall{"tall", 8};

  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    kernel(i) =
        exp(-i * i / (2 * sigma * sigma)) / (std::sqrt(2 * std::numbers::pi_v<float>) * sigma);

    bounded = BoundaryConditions::repeat_edge(input);
    gray(x, y) = 0.299f * bounded(x, y, 0) + 0.587f * bounded(x, y, 1) + 0.114f * bounded(x, y, 2);
    blurY(x, y) = kernel(0) * gray(x, y) + kernel(1) * (gray(x, y - 1) + gray(x, y + 1)) +
                  kernel(2) * (gray(x, y - 2) + gray(x, y + 2)) +
                  kernel(3) * (gray(x, y - 3) + gray(x, y + 3));
    blurX(x, y) = kernel(0) * blurY(x, y) + kernel(1) * (blurY(x - 1, y) + blurY(x + 1, y)) +
                  kernel(2) * (blurY(x - 2, y) + blurY(x + 2, y)) +
                  kernel(3) * (blurY(x - 3, y) + blurY(x + 3, y));
    sharpened(x, y) = 2 * gray(x, y) - blurX(x, y);
    ratio(x, y) = sharpened(x, y) / gray(x, y);
    output(x, y, c) = ratio(x, y) * input(x, y, c);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // One kernel. The luminance of a tile and its vertical blur go through shared memory. The colours
  // are read again at the end, from L1. Inlining turns the weights of the Gaussian into constants.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), yt("yt");
    const int tileY = threadsY * tall.value();
    output.bound(c, 0, 3)
        .reorder(c, x, y)
        .unroll(c)
        .tile(x, y, xo, yo, xi, yi, threadsX, tileY)
        .split(yi, yi, yt, threadsY)
        .reorder(c, yi, xi, yt, xo, yo)
        .unroll(yi)
        .gpu_threads(xi, yt)
        .gpu_blocks(xo, yo);
    ratio.compute_at(output, yi);
    gray.compute_at(output, xo)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yi, threadsY, TailStrategy::GuardWithIf)
        .reorder(xo, yo, xi, yi)
        .unroll(xo)
        .unroll(yo)
        .gpu_threads(xi, yi);
    blurY.compute_at(output, xo)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yt, yi, tall)
        .reorder(yi, xo, xi, yt)
        .unroll(xo)
        .unroll(yi)
        .gpu_threads(xi, yt);
  }

  Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
  Func kernel{"kernel"}, bounded{"bounded"}, gray{"gray"}, blurY{"blur_y"}, blurX{"blur_x"};
  Func sharpened{"sharpened"}, ratio{"ratio"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
