// SPDX-License-Identifier: MIT
// A shallow depth of field from a stereo pair. The cost of each disparity [Rhemann et al. 2011] is
// smoothed where it is uncertain by a convolution pyramid [Farbman et al. 2011]. The cheapest slice
// is the depth, and a virtual aperture is sampled at random [Mullapudi et al. 2016, LENSBLUR].
#include "samples/lens_blur/reference.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;
using tessera::samples::lens_blur::kMaxRadius;

class LensBlur : public Generator<LensBlur> {
public:
  GeneratorParam<int> pyramidLevels{"pyramid_levels", 8, 3, 12};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  // A block makes all levels of a slice that are coarser than level `fused_from` in shared memory.
  // The largest of these levels, fused_from + 1, has to fit in 48 KB with its push and its pull.
  GeneratorParam<int> fusedFrom{"fused_from", 3, 1, 10};
  GeneratorParam<int> coarseThreadsY{"coarse_threads_y", 16};
  GeneratorParam<bool> storeCost{"store_cost", true};
  GeneratorParam<int> wide{"wide", 1}; // pixels of `depth` that a thread makes, along x
  GeneratorParam<int> samplesAtOnce{"samples_at_once", 4};

  Input<Buffer<uint8_t, 3>> left{"left"};
  Input<Buffer<uint8_t, 3>> right{"right"};
  Input<int> slices{"slices"};
  Input<int> focus{"focus"}; // the slice that stays sharp
  Input<float> radiusScale{"radius_scale"};
  Input<int> apertureSamples{"aperture_samples"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    Func leftBounded = BoundaryConditions::repeat_edge(left);
    Func rightBounded = BoundaryConditions::repeat_edge(right);
    defineCost(leftBounded, rightBounded);
    definePyramid();
    defineDepth();
    defineBlur(leftBounded);

    left.dim(2).set_bounds(0, 3);
    right.dim(2).set_bounds(0, 3);
    output.dim(2).set_bounds(0, 3);
    left.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    right.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    slices.set_estimate(32);
    focus.set_estimate(13);
    radiusScale.set_estimate(0.5f);
    apertureSamples.set_estimate(32);
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 192;
  static constexpr int kHeight = 320;

  static std::vector<Func> pyramid(const std::string &name, int count) {
    std::vector<Func> funcs;
    for (int j = 0; j < count; ++j)
      funcs.emplace_back(name + "_" + std::to_string(j));
    return funcs;
  }

  // A slice is two pixels of disparity. A pixel whose slices all cost much the same has little
  // confidence.
  void defineCost(Func a, Func b) {
    Func difference("difference");
    difference(x, y, z, c) =
        min(absd(a(x, y, c), b(x + 2 * z, y, c)), absd(a(x, y, c), b(x + 2 * z + 1, y, c)));
    const auto squared = [&](int channel) {
      Expr d = cast<float>(difference(x, y, z, channel));
      return d * d;
    };
    cost(x, y, z) = squared(0) + squared(1) + squared(2);

    RDom r(0, slices, "r");
    moments(x, y) = Tuple(0.0f, 0.0f);
    Expr one = cost(x, y, r);
    moments(x, y) = Tuple(moments(x, y)[0] + one, moments(x, y)[1] + one * one);
    Expr mean = moments(x, y)[0] / slices;
    confidence(x, y) = moments(x, y)[1] / slices - mean * mean;
  }

  // Smooths the costs, weighted by their confidence, and the confidence itself, down and up a
  // pyramid.
  void definePyramid() {
    const int count = pyramidLevels;
    push = pyramid("push", count);
    pull = pyramid("pull", count);
    push[0](x, y, z, c) = mux(c, {cost(x, y, z) * confidence(x, y), confidence(x, y)});
    std::vector<Func> bounded = {push[0]};
    Expr w = left.dim(0).extent(), h = left.dim(1).extent();
    for (int j = 1; j < count; ++j) {
      w = (w + 1) / 2;
      h = (h + 1) / 2;
      push[j](x, y, z, c) = downsampled(bounded[j - 1])(x, y, z, c);
      bounded.push_back(BoundaryConditions::repeat_edge(push[j], {{0, w}, {0, h}}));
    }
    pull[count - 1](x, y, z, c) = bounded[count - 1](x, y, z, c);
    for (int j = count - 2; j >= 0; --j)
      pull[j](x, y, z, c) = 0.5f * (upsampled(pull[j + 1])(x, y, z, c) + bounded[j](x, y, z, c));
  }

  void defineDepth() {
    Func filtered("filtered_cost");
    filtered(x, y, z) = pull[0](x, y, z, 0) / pull[0](x, y, z, 1);
    RDom r(0, slices, "r");
    Func cheapest("cheapest");
    depth(x, y) = argmin(r, filtered(x, y, r), cheapest)[0];
    radius(x, y) = abs(depth(x, y) - focus) * radiusScale;
  }

  // A sample counts if this pixel lies in the sample's disc and the sample lies in this pixel's
  // disc or in front of it. Samples are spread over the largest disc near by.
  void defineBlur(Func picture) {
    RDom r(-kMaxRadius, 2 * kMaxRadius + 1, "r");
    Func largest("largest"), largestRows("largest_rows");
    worstRows(x, y) = maximum(r, radius(x, y + r), largestRows);
    worst(x, y) = maximum(r, worstRows(x + r, y), largest);

    withAlpha(x, y, c) = select(c < 3, cast<float>(picture(x, y, min(c, 2))), 1.0f);

    Expr u = offset(0), v = offset(1);
    location(x, y, z) = Tuple(u, v);
    u = location(x, y, z)[0];
    v = location(x, y, z)[1];
    Expr distance = cast<float>(u * u + v * v);
    Func squaredRadius("squared_radius");
    squaredRadius(x, y) = radius(x, y) * radius(x, y);
    Expr isNear = distance < squaredRadius(x, y);
    Expr isInFront = depth(x + u, y + v) < depth(x, y);
    Expr reaches = distance < squaredRadius(x + u, y + v);
    weight(x, y, z) = select((isNear || isInFront) && reaches, 1.0f, 0.0f);

    s = RDom(0, apertureSamples, "s");
    blurred(x, y, c) = withAlpha(x, y, c);
    blurred(x, y, c) +=
        weight(x, y, s) * withAlpha(x + location(x, y, s)[0], y + location(x, y, s)[1], c);
    output(x, y, c) = blurred(x, y, c) / blurred(x, y, 3);
  }

  // A random whole number of pixels within the largest radius. The reference uses the same hash.
  Expr offset(int axis) {
    const auto scaled = [](Expr e, uint32_t by) {
      return cast<uint32_t>(std::move(e)) * Internal::make_const(UInt(32), by);
    };
    Expr bits = scaled(x, 0x8da6b343u) ^ scaled(y, 0xd8163841u) ^ scaled(2 * z + axis, 0xcb1ab31fu);
    bits = scaled(bits ^ (bits >> 15), 0x2c1b3c6du);
    bits = scaled(bits ^ (bits >> 12), 0x297a2d39u);
    bits = bits ^ (bits >> 15);
    Expr unit = cast<float>(bits >> 8) * (1.0f / (1 << 23)) - 1.0f;
    return clamp(cast<int>(unit * worst(x, y)), -kMaxRadius, kMaxRadius);
  }

  // Downsamples by the weights 1 3 3 1 along x, then along y.
  Func downsampled(Func f) {
    Func down(f.name() + "_down_x"), result(f.name() + "_down_y");
    down(x, y, z, c) = (f(2 * x - 1, y, z, c) + 3.0f * (f(2 * x, y, z, c) + f(2 * x + 1, y, z, c)) +
                        f(2 * x + 2, y, z, c)) /
                       8.0f;
    result(x, y, z, c) =
        (down(x, 2 * y - 1, z, c) + 3.0f * (down(x, 2 * y, z, c) + down(x, 2 * y + 1, z, c)) +
         down(x, 2 * y + 2, z, c)) /
        8.0f;
    downRows.push_back(down);
    return result;
  }

  // Bilinear upsampling: a fine pixel lies at a quarter of the way between two coarse ones.
  Func upsampled(Func f) const {
    Func up(f.name() + "_up_x"), result(f.name() + "_up_y");
    up(x, y, z, c) = 0.25f * f(x / 2 - 1 + 2 * (x % 2), y, z, c) + 0.75f * f(x / 2, y, z, c);
    result(x, y, z, c) = 0.25f * up(x, y / 2 - 1 + 2 * (y % 2), z, c) + 0.75f * up(x, y / 2, z, c);
    return result;
  }

  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), zo("zo");
    const int fused = std::min<int>(fusedFrom, pyramidLevels - 1);

    // Computing a cost again may be cheaper than storing and reading it, since the computation
    // reads only three adjacent bytes for each slice and pixel.
    if (storeCost)
      cost.compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY).gpu_blocks(z);
    confidence.compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);

    for (int j = 1; j < static_cast<int>(push.size()); ++j) {
      push[j].bound(c, 0, 2);
      pull[j].bound(c, 0, 2);
      if (j == 1) {
        scheduleFirstPush();
      } else if (j <= fused) {
        scheduleLevel(push[j]);
      }
      if (j < fused) {
        scheduleLevel(pull[j]);
      } else if (j == fused) {
        pull[j]
            .compute_root()
            .tile(x, y, xo, yo, xi, yi, threadsX, coarseThreadsY, TailStrategy::GuardWithIf)
            .reorder(xi, yi, xo, yo, z, c)
            .gpu_threads(xi, yi)
            .gpu_blocks(z, c);
      } else {
        for (Func level : {push[j], pull[j]})
          level.compute_at(pull[fused], z)
              .tile(x, y, xo, yo, xi, yi, threadsX, coarseThreadsY, TailStrategy::GuardWithIf)
              .gpu_threads(xi, yi);
      }
    }

    depth.compute_root()
        .split(x, xo, xi, threadsX * wide.value())
        .split(y, yo, yi, threadsY)
        .reorder(xi, yi, xo, yo)
        .gpu_blocks(xo, yo)
        .gpu_threads(yi);
    if (wide > 1) {
      Var xt("xt");
      depth.split(xi, xt, xi, wide).unroll(xi).gpu_threads(xt);
    } else {
      depth.gpu_threads(xi);
    }

    Func(output).bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xo, yo, xi, yi, threadsX,
                                                                    threadsY);
    worstRows.compute_at(output, xo).gpu_threads(x, y);
    worst.compute_at(output, xi);
    RVar so("so"), si("si");
    blurred.compute_at(output, xi).store_in(MemoryType::Register).bound(c, 0, 4).unroll(c);
    blurred.update().split(s, so, si, samplesAtOnce).reorder(c, si, so).unroll(c).unroll(si);
    location.compute_at(blurred, si).store_in(MemoryType::Register);
    weight.compute_at(blurred, si).store_in(MemoryType::Register);
  }

  void scheduleLevel(Func level) {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), slice("slice");
    level.compute_root()
        .fuse(z, c, slice)
        .gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY)
        .gpu_blocks(slice);
  }

  // Kernel of push[1]. The finest level, push[0], is made in shared memory, one tile and one slice
  // at a time.
  void scheduleFirstPush() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    push[1]
        .compute_root()
        .tile(x, y, xo, yo, xi, yi, threadsX, threadsY)
        .reorder(c, xi, yi, xo, yo, z)
        .unroll(c)
        .gpu_threads(xi, yi)
        .gpu_blocks(xo, yo, z);
    push[0]
        .in(downRows[0])
        .compute_at(push[1], xo)
        .bound(c, 0, 2)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yi, threadsY, TailStrategy::GuardWithIf)
        .reorder(c, xo, yo, xi, yi)
        .unroll(c)
        .gpu_threads(xi, yi);
  }

  Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
  RDom s;
  Func cost{"cost"}, moments{"moments"}, confidence{"confidence"}, depth{"depth"};
  Func radius{"radius"}, worstRows{"worst_rows"}, worst{"worst"}, withAlpha{"with_alpha"};
  Func location{"location"}, weight{"weight"}, blurred{"blurred"};
  std::vector<Func> push, pull, downRows;
};

} // namespace

HALIDE_REGISTER_GENERATOR(LensBlur, lens_blur)
