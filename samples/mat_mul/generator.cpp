// SPDX-License-Identifier: MIT
// The product of two square single-precision matrices as a plain reduction.
#include <Halide.h>

namespace {

using namespace Halide;

class MatMul : public Generator<MatMul> {
public:
  GeneratorParam<int> size{"size", 1024};
  GeneratorParam<int> threadsX{"threads_x", 16};
  GeneratorParam<int> threadsY{"threads_y", 16};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 4};
  GeneratorParam<int> deep{"deep", 16};

  Input<Buffer<float, 2>> a{"a"};
  Input<Buffer<float, 2>> b{"b"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    k = RDom(0, size, "k");
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    output(x, y) = product(x, y);

    a.dim(0).set_bounds(0, size).dim(1).set_bounds(0, size).set_stride(size);
    b.dim(0).set_bounds(0, size).dim(1).set_bounds(0, size).set_stride(size);
    output.dim(0).set_bounds(0, size).dim(1).set_bounds(0, size).set_stride(size);
    a.set_estimates({{0, size}, {0, size}});
    b.set_estimates({{0, size}, {0, size}});
    output.set_estimates({{0, size}, {0, size}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  // One kernel, with no shared memory. A thread keeps a tile of the product in registers and copies
  // `deep` columns of `a` and rows of `b` into more registers. The copies are vector loads, hence
  // the promised alignment; the block's other threads find the same lines in L1. A thread's tile of
  // 8 rows is faster with 128 registers per thread and far slower with 64, which is Halide's cap.
  // The default tile suits both.
  void scheduleForGpu() {
    a.set_host_alignment(16);
    b.set_host_alignment(16);
    output.set_host_alignment(16);

    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
    RVar ko("ko"), ki("ki");
    Func(output)
        .tile(x, y, xo, yo, xt, yt, threadsX * wide.value(), threadsY * tall.value())
        .tile(xt, yt, xt, yt, xi, yi, wide, tall)
        .vectorize(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    product.compute_at(output, xt).store_in(MemoryType::Register).vectorize(x).unroll(y);
    product.update().split(k, ko, ki, deep).reorder(x, y, ki, ko).vectorize(x).unroll(y).unroll(ki);
    a.in().compute_at(product, ko).store_in(MemoryType::Register);
    a.in().vectorize(a.in().args()[0]).unroll(a.in().args()[1]);
    b.in().compute_at(product, ko).store_in(MemoryType::Register);
    b.in().vectorize(b.in().args()[0]).unroll(b.in().args()[1]);
  }

  Var x{"x"}, y{"y"};
  RDom k;
  Func product{"product"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(MatMul, mat_mul)
