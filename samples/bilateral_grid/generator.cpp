// SPDX-License-Identifier: MIT
// The bilateral filter by the bilateral grid [Chen, Paris and Durand 2007]. Pixels are counted and
// summed in a coarse grid over position and intensity, and the grid is blurred along its three
// axes. Each pixel reads the mean at its place by trilinear interpolation.
#include <Halide.h>

namespace {

using namespace Halide;

class BilateralGrid : public Generator<BilateralGrid> {
public:
  GeneratorParam<int> sigma{"s_sigma", 8, 2, 64};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  GeneratorParam<int> cells{"cells", 16};

  Input<Buffer<float, 2>> input{"input"};
  Input<float> rangeSigma{"r_sigma"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    const int cell = sigma;
    bounded = BoundaryConditions::repeat_edge(input);

    // A cell consists of the pixels around its centre. The grid holds the sum of their values at
    // k = 0 and the number of pixels at k = 1.
    r = RDom(0, cell, 0, cell, "r");
    Expr value = clamp(bounded(x * cell + r.x - cell / 2, y * cell + r.y - cell / 2), 0.0f, 1.0f);
    Expr bin = cast<int>(value * (1.0f / rangeSigma) + 0.5f);
    grid(x, y, z, k) = 0.0f;
    grid(x, y, bin, k) += select(k == 0, value, 1.0f);

    const auto five = [](auto at) {
      return at(-2) + 4.0f * at(-1) + 6.0f * at(0) + 4.0f * at(1) + at(2);
    };
    blurZ(x, y, z, k) = five([&](int d) { return grid(x, y, z + d, k); });
    blurX(x, y, z, k) = five([&](int d) { return blurZ(x + d, y, z, k); });
    blurY(x, y, z, k) = five([&](int d) { return blurX(x, y + d, z, k); });

    Expr depth = clamp(input(x, y), 0.0f, 1.0f) * (1.0f / rangeSigma);
    Expr zi = cast<int>(depth), xi = x / cell, yi = y / cell;
    Expr zf = depth - cast<float>(zi);
    Expr xf = cast<float>(x % cell) / static_cast<float>(cell);
    Expr yf = cast<float>(y % cell) / static_cast<float>(cell);
    const auto row = [&](Expr v, Expr w) {
      return lerp(blurY(xi, v, w, k), blurY(xi + 1, v, w, k), xf);
    };
    interpolated(x, y, k) = lerp(lerp(row(yi, zi), row(yi + 1, zi), yf),
                                 lerp(row(yi, zi + 1), row(yi + 1, zi + 1), yf), zf);
    output(x, y) = interpolated(x, y, 0) / interpolated(x, y, 1);

    input.set_estimates({{0, kWidth}, {0, kHeight}});
    rangeSigma.set_estimate(0.1f);
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // There are four kernels. In the first, a thread owns a column of the grid, counts the column's
  // pixels in shared memory without atomics and blurs along z from there. The sum and the pixel
  // count of a cell are adjacent in memory, since they are read together.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    blurZ.compute_root()
        .reorder_storage(k, x, y, z)
        .bound(k, 0, 2)
        .reorder(k, z, x, y)
        .unroll(k)
        .gpu_tile(x, y, xo, yo, xi, yi, cells, cells);
    grid.compute_at(blurZ, xo).reorder(k, z, x, y).gpu_threads(x, y);
    grid.update().reorder(k, r.x, r.y, x, y).unroll(k).unroll(r.x).gpu_threads(x, y);
    for (Func blur : {blurX, blurY})
      blur.compute_root()
          .reorder_storage(k, x, y, z)
          .bound(k, 0, 2)
          .reorder(k, x, y, z)
          .vectorize(k)
          .tile(x, y, xo, yo, xi, yi, cells, cells)
          .gpu_threads(xi, yi)
          .gpu_blocks(xo, yo, z);
    Func(output).gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
    interpolated.compute_at(output, xi).store_in(MemoryType::Register).vectorize(k);
  }

  Var x{"x"}, y{"y"}, z{"z"}, k{"k"};
  RDom r;
  Func bounded, grid{"grid"}, blurZ{"blur_z"}, blurX{"blur_x"}, blurY{"blur_y"};
  Func interpolated{"interpolated"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(BilateralGrid, bilateral_grid)
