// SPDX-License-Identifier: MIT
// Fills the transparent parts of a picture from what is around them, by pull and push through a
// pyramid of colours premultiplied by their opacity [Gortler et al. 1996].
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

class Interpolate : public Generator<Interpolate> {
public:
  GeneratorParam<int> pyramidLevels{"pyramid_levels", 10, 2, 12};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  // Coarse levels of the push that each tile makes for itself.
  GeneratorParam<int> fusedLevels{"fused_levels", 3};

  Input<Buffer<float, 3>> input{"input"}; // three colours and the opacity
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int count = pyramidLevels;
    bounded = BoundaryConditions::repeat_edge(input);

    // Pull: tent-filtered and halved, x first.
    pull.emplace_back("pull_0");
    pull[0](x, y, c) = select(c < 3, bounded(x, y, min(c, 2)) * bounded(x, y, 3), bounded(x, y, 3));
    for (int j = 1; j < count; ++j) {
      Func finer = pull.back(), across(named("pull_x", j)), down(named("pull", j));
      across(x, y, c) =
          (finer(2 * x - 1, y, c) + 2.0f * finer(2 * x, y, c) + finer(2 * x + 1, y, c)) * 0.25f;
      down(x, y, c) =
          (across(x, 2 * y - 1, c) + 2.0f * across(x, 2 * y, c) + across(x, 2 * y + 1, c)) * 0.25f;
      pullRows.push_back(across);
      pull.push_back(down);
    }

    // Push: where a level is transparent, the next coarser one shows, linearly interpolated.
    push.resize(count);
    push[count - 1] = Func(named("push", count - 1));
    push[count - 1](x, y, c) = pull[count - 1](x, y, c);
    for (int j = count - 2; j >= 0; --j) {
      Func coarser = push[j + 1], across(named("push_x", j)), down(named("push_y", j));
      across(x, y, c) = (coarser(x / 2, y, c) + coarser((x + 1) / 2, y, c)) / 2.0f;
      down(x, y, c) = (across(x, y / 2, c) + across(x, (y + 1) / 2, c)) / 2.0f;
      push[j] = Func(named("push", j));
      push[j](x, y, c) = pull[j](x, y, c) + (1.0f - pull[j](x, y, 3)) * down(x, y, c);
    }
    normalized(x, y, c) = push[0](x, y, c) / push[0](x, y, 3);
    output(x, y, c) = normalized(x, y, c);

    input.dim(2).set_bounds(0, 4);
    output.dim(2).set_bounds(0, 3);
    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 4}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  static std::string named(const std::string &name, int level) {
    return name + "_" + std::to_string(level);
  }

  // A kernel for each level, down and up, but the coarsest of the way up, which each tile of the
  // last stored one recomputes. Premultiplied pixels are read twice rather than stored.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    const int count = pyramidLevels;
    const int lastStored = std::max(count - 1 - fusedLevels, 1);
    for (int j = 1; j < count; ++j) {
      pull[j].compute_root().bound(c, 0, 4).reorder(c, x, y).unroll(c).gpu_tile(
          x, y, xo, yo, xi, yi, threadsX, threadsY);
      pullRows[j - 1].compute_at(pull[j], xi).store_in(MemoryType::Register).unroll(y).unroll(c);
      push[j].bound(c, 0, 4).reorder(c, x, y).unroll(c);
      if (j <= lastStored)
        push[j].compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
      else
        push[j].compute_at(push[lastStored], xo).gpu_threads(x, y);
    }
    Func(output).reorder(c, x, y).unroll(c).gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
    push[0].compute_at(output, xi).store_in(MemoryType::Register).unroll(c);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  Func bounded, normalized{"normalized"};
  std::vector<Func> pull, pullRows, push;
};

} // namespace

HALIDE_REGISTER_GENERATOR(Interpolate, interpolate)
