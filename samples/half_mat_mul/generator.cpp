// SPDX-License-Identifier: MIT
// The product of two matrices in half precision, whose sums are of single precision, as networks
// are trained (P. Micikevicius et al., "Mixed Precision Training", ICLR 2018). What is stored has
// 16 bits; a sum of a thousand products in 16 bits would keep three of its digits at most.
#include <Halide.h>

namespace {

using namespace Halide;

class HalfMatMul : public Generator<HalfMatMul> {
public:
  GeneratorParam<int> depth{"depth", 1024}; // the length of each sum
  GeneratorParam<int> threadsX{"threads_x", 16};
  GeneratorParam<int> threadsY{"threads_y", 16};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 8};
  GeneratorParam<int> chunk{"chunk", 16}; // products of a sum between two copies to shared memory
  GeneratorParam<int> deep{"deep", 2};    // and between two copies to registers

  Input<Buffer<float16_t, 2>> a{"a"};
  Input<Buffer<float16_t, 2>> b{"b"};
  Output<Buffer<float16_t, 2>> output{"output"};

  void generate() {
    // Tiles at the border read the last row and column again.
    left(k, y) = cast<float>(a(k, clamp(y, 0, a.dim(1).extent() - 1)));
    right(x, k) = cast<float>(b(clamp(x, 0, b.dim(0).extent() - 1), k));
    r = RDom(0, depth, "r");
    product(x, y) = 0.0f;
    product(x, y) += left(r, y) * right(x, r);
    output(x, y) = cast<float16_t>(product(x, y));

    a.dim(0).set_bounds(0, depth).dim(1).set_min(0).set_stride(depth);
    b.dim(0).set_min(0).dim(1).set_bounds(0, depth);
    a.set_estimates({{0, depth}, {0, kHeight}});
    b.set_estimates({{0, kWidth}, {0, depth}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 2048, kHeight = 2048;

  // One kernel. The sums stay in the registers of their threads while the block walks through the
  // products by way of shared memory, which holds single precision, so that a number is converted
  // once for the whole block. A thread's rows are apart by the number of threads: neighbours then
  // read from different banks. The output is not vectorised, since Halide 21 stores wrong bits of a
  // vector that is converted from single to half precision.
  void scheduleForGpu() {
    a.set_host_alignment(16);
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    RVar ro("ro"), rm("rm"), ri("ri");
    const auto tile = [&](auto stage) {
      stage.split(x, xt, xi, wide).split(y, yi, yt, threadsY).unroll(yi);
      return stage;
    };
    Func result = output;
    tile(result.split(x, xo, x, threadsX * wide.value(), TailStrategy::GuardWithIf)
             .split(y, yo, y, threadsY * tall.value(), TailStrategy::GuardWithIf))
        .reorder(xi, yi, xt, yt, xo, yo)
        .unroll(xi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);

    product.compute_at(output, xo)
        .store_in(MemoryType::Register)
        .bound_extent(x, threadsX * wide.value())
        .bound_extent(y, threadsY * tall.value());
    tile(product).reorder(xi, yi, xt, yt).unroll(xi).gpu_threads(xt, yt);
    tile(product.update().split(r, ro, rm, chunk).split(rm, rm, ri, deep))
        .reorder(xi, yi, ri, rm, xt, yt, ro)
        .unroll(xi)
        .unroll(ri)
        .gpu_threads(xt, yt);
    share(ro);

    Func rows = left.in(product);
    rows.compute_at(product, rm).store_in(MemoryType::Register);
    rows.vectorize(rows.args()[0]).unroll(rows.args()[1]);
  }

  // All threads of the block copy: of `a` four numbers at a time, of `b` one column each.
  void share(const RVar &at) {
    Var quad("quad"), lane("lane"), t("t"), turn("turn"), xt("xt"), yt("yt");
    left.compute_at(product, at)
        .split(k, quad, lane, 4, TailStrategy::GuardWithIf)
        .fuse(quad, y, t)
        .split(t, turn, t, threadsX * threadsY.value(), TailStrategy::GuardWithIf)
        .split(t, yt, xt, threadsX)
        .reorder(lane, turn, xt, yt)
        .vectorize(lane)
        .gpu_threads(xt, yt);
    right.compute_at(product, at)
        .split(x, turn, xt, threadsX)
        .split(k, t, yt, threadsY, TailStrategy::GuardWithIf)
        .reorder(turn, t, xt, yt)
        .unroll(turn)
        .gpu_threads(xt, yt);
  }

  Var x{"x"}, y{"y"}, k{"k"};
  RDom r;
  Func left{"left"}, right{"right"}, product{"product"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(HalfMatMul, half_mat_mul)
