// SPDX-License-Identifier: MIT
// A step of the acoustic wave equation in three dimensions, in double precision: of second order in
// time and of eighth in space (M. Dablain, "The application of high-order differencing to the
// scalar wave equation", Geophysics 51, 1986). The weights are those of B. Fornberg, "Generation of
// Finite Difference Formulas on Arbitrarily Spaced Grids", 1988.
#include <Halide.h>

#include <array>

namespace {

using namespace Halide;

class WaveStep : public Generator<WaveStep> {
public:
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  GeneratorParam<int> deep{"deep", 4}; // layers of a thread

  Input<Buffer<double, 3>> now{"now"}; // four more at each side than the others
  Input<Buffer<double, 3>> before{"before"};
  Input<Buffer<double, 3>> speed{"speed"}; // (velocity * time step / grid step)^2
  Output<Buffer<double, 3>> output{"output"};

  void generate() {
    const auto at = [&](int dx, int dy, int dz) -> Expr { return now(x + dx, y + dy, z + dz); };
    const int c = kReach;
    Expr sum = Expr(3.0 * kWeights[0]) * at(c, c, c);
    for (int d = 1; d <= kReach; ++d)
      sum += Expr(kWeights[static_cast<std::size_t>(d)]) *
             (at(c - d, c, c) + at(c + d, c, c) + at(c, c - d, c) + at(c, c + d, c) +
              at(c, c, c - d) + at(c, c, c + d));
    laplacian(x, y, z) = sum;
    output(x, y, z) =
        Expr(2.0) * at(c, c, c) - before(x, y, z) + speed(x, y, z) * laplacian(x, y, z);

    const Region inside{{0, kWidth}, {0, kHeight}, {0, kDepth}};
    now.set_estimates({{0, kWidth + 2 * c}, {0, kHeight + 2 * c}, {0, kDepth + 2 * c}});
    before.set_estimates(inside);
    speed.set_estimates(inside);
    output.set_estimates(inside);
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kReach = 4, kWidth = 256, kHeight = 256, kDepth = 128;
  static constexpr std::array<double, 5> kWeights{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                                  -1.0 / 560};

  // One kernel. A thread makes a few layers of one column, whose neighbours above and below it
  // loads once. What its neighbours beside it load, it finds in L1.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), zo("zo"), xt("xt"), yt("yt"), zi("zi");
    Func(output)
        .split(x, xo, xt, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yt, threadsY, TailStrategy::GuardWithIf)
        .split(z, zo, zi, deep, TailStrategy::GuardWithIf)
        .reorder(zi, xt, yt, xo, yo, zo)
        .unroll(zi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo, zo);
  }

  Var x{"x"}, y{"y"}, z{"z"};
  Func laplacian{"laplacian"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(WaveStep, wave_step)
