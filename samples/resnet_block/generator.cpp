// SPDX-License-Identifier: MIT
// The identity bottleneck of a residual network [He et al. 2016]: a 1x1 convolution to a quarter of
// the channels, a 3x3 convolution, a 1x1 convolution back, plus the input. Batch normalisation is
// folded into a scale and a shift for each channel. A ReLU follows each of the three.
#include "samples/common/network.h"

#include <Halide.h>

namespace {

using namespace Halide;
using tessera::samples::promiseDense;
using tessera::samples::RegisterProduct;

class ResnetBlock : public Generator<ResnetBlock> {
public:
  GeneratorParam<int> channels{"channels", 256};
  GeneratorParam<int> bottleneck{"bottleneck", 64};
  GeneratorParam<int> size{"size", 56};
  GeneratorParam<int> images{"images", 8};

  // A block makes tile_x by tile_y pixels. Each thread makes four channels of `wide` by `tall` of
  // them.
  GeneratorParam<bool> fused{"fused", true};
  GeneratorParam<int> tileX{"tile_x", 8};
  GeneratorParam<int> tileY{"tile_y", 4};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 1};
  GeneratorParam<int> deep{"deep", 4};
  GeneratorParam<bool> unrollRow{"unroll_row", true};

  Input<Buffer<float, 4>> input{"input"};                  // channel, x, y, image
  Input<Buffer<float, 2>> reduceFilter{"reduce_filter"};   // channel out, channel in
  Input<Buffer<float, 4>> spatialFilter{"spatial_filter"}; // channel out, x, y, channel in
  Input<Buffer<float, 2>> expandFilter{"expand_filter"};   // channel out, channel in
  Input<Buffer<float, 1>> reduceScale{"reduce_scale"}, reduceShift{"reduce_shift"};
  Input<Buffer<float, 1>> spatialScale{"spatial_scale"}, spatialShift{"spatial_shift"};
  Input<Buffer<float, 1>> expandScale{"expand_scale"}, expandShift{"expand_shift"};
  Output<Buffer<float, 4>> output{"output"};

  void generate() {
    const int outside = channels, inside = bottleneck, side = size, count = images;
    all = RDom(0, outside, "all");
    window = RDom(0, 3, 0, 3, 0, inside, "window");
    few = RDom(0, inside, "few");

    reduce(c, x, y, n) = 0.0f;
    reduce(c, x, y, n) += reduceFilter(c, all) * input(all, x, y, n);
    reduced(c, x, y, n) = normalized(reduce, reduceScale, reduceShift);

    padded = BoundaryConditions::constant_exterior(
        reduced, 0.0f, {{Expr(), Expr()}, {0, side}, {0, side}, {Expr(), Expr()}});
    spatial(c, x, y, n) = 0.0f;
    spatial(c, x, y, n) += spatialFilter(c, window.x, window.y, window.z) *
                           padded(window.z, x + window.x - 1, y + window.y - 1, n);
    filtered(c, x, y, n) = normalized(spatial, spatialScale, spatialShift);

    expand(c, x, y, n) = 0.0f;
    expand(c, x, y, n) += expandFilter(c, few) * filtered(few, x, y, n);
    output(c, x, y, n) =
        max(expand(c, x, y, n) * expandScale(c) + expandShift(c) + input(c, x, y, n), 0.0f);

    promiseDense(input, {outside, side, side, count});
    promiseDense(reduceFilter, {inside, outside});
    promiseDense(spatialFilter, {inside, 3, 3, inside});
    promiseDense(expandFilter, {outside, inside});
    for (auto *port : {&reduceScale, &reduceShift, &spatialScale, &spatialShift})
      promiseDense(*port, {inside});
    for (auto *port : {&expandScale, &expandShift})
      promiseDense(*port, {outside});
    promiseDense(output, {outside, side, side, count});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  Expr normalized(Func sum, const Func &scale, const Func &shift) const {
    return max(sum(c, x, y, n) * scale(c) + shift(c), 0.0f);
  }

  // One thread makes 4 channels of `wide` by `tall` pixels at a time. A row of threads makes as
  // many channels as the bottleneck has. For a layer with more channels, each thread repeats this.
  void tile(Func f) {
    f.tile(x, y, xo, yo, xi, yi, tileX, tileY)
        .split(xi, xt, xi, wide)
        .split(yi, yt, yi, tall)
        .split(c, co, ci, bottleneck)
        .split(ci, ct, ci, 4)
        .reorder(ci, xi, yi, co, ct, xt, yt, xo, yo, n)
        .vectorize(ci)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(ct, xt, yt)
        .gpu_blocks(xo, yo, n);
  }

  // With `fused`, there are two kernels. The second one keeps its tile of the reduced layer, with
  // the border of zeros, in shared memory, and also its own 3x3 result, which all channels of the
  // output read. In shared memory, each pixel takes 4 values more than it has channels, so that
  // neighbouring pixels start in different banks.
  void scheduleForGpu() {
    const int inside = bottleneck;
    tile(reduced.compute_root());
    tile(output);
    RegisterProduct{reduce, reduceFilter, input, {}, all.x, deep}.computeAt(reduced, co);
    RegisterProduct{expand, expandFilter, filtered, {}, few.x, deep}.computeAt(output, co);
    if (fused) {
      filtered.compute_at(output, xo)
          .align_storage(c, inside + 4)
          .split(x, xt, xi, wide)
          .split(y, yt, yi, tall)
          .split(c, ct, ci, 4)
          .reorder(ci, xi, yi, ct, xt, yt)
          .vectorize(ci)
          .unroll(xi)
          .unroll(yi)
          .gpu_threads(ct, xt, yt);
    } else {
      tile(filtered.compute_root());
    }
    const Var level = fused ? ct : co;
    RegisterProduct{spatial,  spatialFilter, padded, {window.x, window.y},
                    window.z, deep,          0,      unrollRow}
        .computeAt(filtered, level);
    Func block = fused ? Func(output) : filtered;
    const int across = tileX / wide.value(), down = tileY / tall.value();
    padded.compute_at(block, xo)
        .align_storage(padded.args()[0], inside + 4)
        .split(padded.args()[0], ct, ci, 4)
        .vectorize(ci)
        .split(padded.args()[1], xo, xi, across, TailStrategy::GuardWithIf)
        .split(padded.args()[2], yo, yi, down, TailStrategy::GuardWithIf)
        .reorder(ci, xo, yo, ct, xi, yi)
        .unroll(xo)
        .gpu_threads(ct, xi, yi);
  }

  Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
  Var xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, xi{"xi"}, yi{"yi"}, co{"co"}, ct{"ct"}, ci{"ci"};
  RDom all, window, few;
  Func reduce{"reduce"}, reduced{"reduced"}, padded;
  Func spatial{"spatial"}, filtered{"filtered"}, expand{"expand"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(ResnetBlock, resnet_block)
