// SPDX-License-Identifier: MIT
// A depthwise separable convolution [Howard et al. 2017]: a 3x3 filter of its own for each of 32
// channels, then a 1x1 convolution to 16 channels with bias and ReLU.
#include <Halide.h>

namespace {

using namespace Halide;

class DepthwiseSeparableConv : public Generator<DepthwiseSeparableConv> {
public:
  GeneratorParam<int> tileX{"tile_x", 16};
  GeneratorParam<int> tileY{"tile_y", 4};
  GeneratorParam<int> wide{"wide", 4};

  Input<Buffer<float, 4>> input{"input"};                      // channel, x, y, image
  Input<Buffer<float, 3>> depthwiseFilter{"depthwise_filter"}; // channel, x, y
  Input<Buffer<float, 2>> pointwiseFilter{"pointwise_filter"}; // channel out, channel in
  Input<Buffer<float, 1>> bias{"bias"};
  Output<Buffer<float, 4>> output{"output"};

  void generate() {
    // Zeros around the picture keep the output at the size of the input.
    bounded = BoundaryConditions::constant_exterior(input, 0.0f,
                                                    {{Expr(), Expr()},
                                                     {0, input.dim(1).extent()},
                                                     {0, input.dim(2).extent()},
                                                     {Expr(), Expr()}});
    r = RDom(0, 3, 0, 3, "r");
    depthwise(ci, x, y, n) = 0.0f;
    depthwise(ci, x, y, n) +=
        depthwiseFilter(ci, r.x, r.y) * bounded(ci, x + r.x - 1, y + r.y - 1, n);
    from = RDom(0, kFrom, "from");
    pointwise(co, x, y, n) = bias(co);
    pointwise(co, x, y, n) += pointwiseFilter(co, from) * depthwise(from, x, y, n);
    output(co, x, y, n) = max(pointwise(co, x, y, n), 0.0f);

    input.dim(0).set_bounds(0, kFrom).set_stride(1);
    input.dim(1).set_stride(kFrom);
    depthwiseFilter.dim(0).set_bounds(0, kFrom);
    depthwiseFilter.dim(1).set_bounds(0, 3).set_stride(kFrom);
    depthwiseFilter.dim(2).set_bounds(0, 3).set_stride(3 * kFrom);
    pointwiseFilter.dim(0).set_bounds(0, kTo);
    pointwiseFilter.dim(1).set_bounds(0, kFrom).set_stride(kTo);
    bias.dim(0).set_bounds(0, kTo);
    output.dim(0).set_bounds(0, kTo).set_stride(1);
    output.dim(1).set_stride(kTo);
    input.set_estimates({{0, kFrom}, {0, kSize}, {0, kSize}, {0, kImages}});
    depthwiseFilter.set_estimates({{0, kFrom}, {0, 3}, {0, 3}});
    pointwiseFilter.set_estimates({{0, kTo}, {0, kFrom}});
    bias.set_estimates({{0, kTo}});
    output.set_estimates({{0, kTo}, {0, kSize}, {0, kSize}, {0, kImages}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kFrom = 32, kTo = 16, kSize = 112, kImages = 4;

  // One kernel. A block filters a tile of all channels into shared memory, where neighbouring
  // threads take neighbouring channels. Then a thread makes `wide` pixels of one channel of the
  // output.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), block("block");
    Func(output)
        .tile(x, y, xo, yo, xi, yi, tileX, tileY)
        .split(xi, xt, xi, wide)
        .reorder(xi, co, xt, yi, xo, yo, n)
        .unroll(xi)
        .gpu_threads(co, xt, yi)
        .gpu_blocks(xo, yo, n);
    pointwise.compute_at(output, co).store_in(MemoryType::Register).unroll(x);
    pointwise.update().reorder(x, from).unroll(x).unroll(from, 8);
    Var cOuter("c_outer"), cInner("c_inner");
    depthwise.compute_at(output, xo)
        .split(ci, cOuter, cInner, 16)
        .split(x, xt, xi, wide)
        .reorder(xi, cOuter, cInner, xt, y)
        .unroll(xi)
        .unroll(cOuter)
        .gpu_threads(cInner, xt, y);
    depthwise.update()
        .split(ci, cOuter, cInner, 16)
        .split(x, xt, xi, wide)
        .reorder(xi, r.x, r.y, cOuter, cInner, xt, y)
        .unroll(xi)
        .unroll(r.x)
        .unroll(r.y)
        .unroll(cOuter)
        .gpu_threads(cInner, xt, y);
  }

  Var ci{"ci"}, co{"co"}, x{"x"}, y{"y"}, n{"n"};
  RDom r, from;
  Func bounded, depthwise{"depthwise"}, pointwise{"pointwise"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(DepthwiseSeparableConv, depthwise_separable_conv)
