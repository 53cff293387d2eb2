// SPDX-License-Identifier: MIT
// Histogram equalisation of an 8-bit colour image. The image is converted to YCbCr, the histogram
// of the luma is counted for each row and then summed over all rows, its running sum equalises the
// luma, and the result is converted back to colours.
#include <Halide.h>

namespace {

using namespace Halide;

class Hist : public Generator<Hist> {
public:
  GeneratorParam<int> rowsPerBlock{"rows_per_block", 32};
  GeneratorParam<int> threadsPerRow{"threads_per_row", 32};
  GeneratorParam<int> wide{"wide", 4};
  GeneratorParam<int> tall{"tall", 4};

  Input<Buffer<uint8_t, 3>> input{"input"};
  Output<Buffer<uint8_t, 3>> output{"output"};

  void generate() {
    luma(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);
    red(x, y) = (input(x, y, 0) - luma(x, y)) * 0.713f + 128;
    blue(x, y) = (input(x, y, 2) - luma(x, y)) * 0.564f + 128;
    Expr bin = cast<int>(clamp(luma(x, y), 0.0f, 255.0f));

    columns = RDom(0, input.width(), "columns");
    rowHistogram(b, y) = 0;
    rowHistogram(cast<int>(clamp(luma(columns, y), 0.0f, 255.0f)), y) += 1;

    rows = RDom(0, input.height(), "rows");
    histogram(b) = 0;
    histogram(b) += rowHistogram(b, rows);

    bins = RDom(1, 255, "bins");
    below(b) = histogram(0);
    below(bins) = below(bins - 1) + histogram(bins);

    equal(x, y) = clamp(below(bin) * (255.0f / (input.width() * input.height())), 0.0f, 255.0f);
    Expr r = equal(x, y) + (red(x, y) - 128) * 1.4f;
    Expr g = equal(x, y) - 0.343f * (blue(x, y) - 128) - 0.711f * (red(x, y) - 128);
    Expr bl = equal(x, y) + 1.765f * (blue(x, y) - 128);
    output(x, y, c) = cast<uint8_t>(clamp(mux(c, {r, g, bl}), 0.0f, 255.0f));

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // There are three kernels. In the first, each block computes the partial histogram of some rows,
  // in shared memory with atomics. The second adds up the partial histograms and scans the sum, in
  // one block. The third computes the colours. At root, a func with an update would become two
  // kernels. So for each of the first two, only a copy of the func is at root, and the func itself
  // is computed inside the blocks of that copy.
  void scheduleForGpu() {
    RVar ro("ro"), ri("ri"), co("co"), ci("ci");
    Var strip("strip"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt"), bo("bo");
    Func partial = histogram.update().split(rows, ro, ri, rowsPerBlock).rfactor(ro, strip);
    Func partialCopy = partial.in();
    // All stages of a block use the same number of threads in the first dimension. The block gets
    // the largest extent of each dimension, so stages of other shapes would make it too large.
    partialCopy.compute_root()
        .bound_extent(b, 256)
        .split(b, bo, b, threadsPerRow)
        .gpu_threads(b, bo)
        .gpu_blocks(strip);
    partial.compute_at(partialCopy, strip).split(b, bo, b, threadsPerRow).gpu_threads(b, bo);
    partial.update().split(b, bo, b, threadsPerRow).reorder(ri, b, bo).gpu_threads(b, bo);
    rowHistogram.compute_at(partialCopy, strip)
        .split(b, bo, b, threadsPerRow)
        .reorder(bo, b, y)
        .gpu_threads(b, y);
    rowHistogram.update()
        .atomic()
        .split(columns, co, ci, threadsPerRow)
        .reorder(co, ci, y)
        .unroll(co, 4)
        .gpu_threads(ci, y);

    Func belowCopy = below.in();
    belowCopy.compute_root()
        .bound_extent(b, 256)
        .split(b, bo, b, 256)
        .gpu_threads(b)
        .gpu_blocks(bo);
    below.compute_at(belowCopy, bo).gpu_threads(b);
    below.update().unroll(bins, 15);
    histogram.compute_at(belowCopy, bo).gpu_threads(b);
    histogram.update().reorder(ro, b).unroll(ro, 16).gpu_threads(b);

    Func(output)
        .bound(c, 0, 3)
        .reorder(c, x, y)
        .unroll(c)
        .tile(x, y, xo, yo, xi, yi, 32 * wide, 8 * tall)
        .split(xi, xi, xt, 32)
        .split(yi, yi, yt, 8)
        .reorder(c, xi, yi, xt, yt, xo, yo)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    equal.compute_at(output, xi);
  }

  Var x{"x"}, y{"y"}, c{"c"}, b{"b"};
  RDom columns, rows, bins;
  Func luma{"luma"}, red{"red"}, blue{"blue"};
  Func rowHistogram{"row_histogram"}, histogram{"histogram"}, below{"below"}, equal{"equal"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Hist, hist)
