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
  // The number of pixels, along x and y, that a thread makes in the two finest levels of the push.
  // If it is even, these pixels share most of what they read from the next coarser level.
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 2};
  // The number of coarse levels that each tile recomputes in shared memory: `fused_levels` levels
  // of the push and `fused_pulls` levels of the pull.
  GeneratorParam<int> fusedLevels{"fused_levels", 5};
  GeneratorParam<int> fusedPulls{"fused_pulls", 4};

  Input<Buffer<float, 3>> input{"input"}; // three colours and the opacity
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int count = pyramidLevels;
    bounded = BoundaryConditions::repeat_edge(input);

    // Pull: each level is the finer level filtered by a tent and halved, first along x.
    pull.emplace_back("pull_0");
    pull[0](x, y, c) = select(c < 3, bounded(x, y, min(c, 2)) * bounded(x, y, 3), bounded(x, y, 3));
    Expr left = input.dim(0).min(), right = input.dim(0).max();
    Expr top = input.dim(1).min(), bottom = input.dim(1).max();
    for (int j = 1; j < count; ++j) {
      Func finer = pull.back();
      if (j - 1 == kRepeated) {
        repeated(x, y, c) = finer(clamp(x, left, right), clamp(y, top, bottom), c);
        finer = repeated;
      }
      // The bounds of level j. Outside of them, the level only repeats its edge.
      left = (left - 1) / 2, right = right / 2 + 1;
      top = (top - 1) / 2, bottom = bottom / 2 + 1;
      Func across(named("pull_x", j)), down(named("pull", j));
      across(x, y, c) =
          (finer(2 * x - 1, y, c) + 2.0f * finer(2 * x, y, c) + finer(2 * x + 1, y, c)) * 0.25f;
      down(x, y, c) =
          (across(x, 2 * y - 1, c) + 2.0f * across(x, 2 * y, c) + across(x, 2 * y + 1, c)) * 0.25f;
      pullRows.push_back(across);
      pull.push_back(down);
    }

    // Push: where a level is transparent, the next coarser level shows through, linearly
    // interpolated.
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
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
    output.dim(2).set_bounds(0, 3);
    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 4}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;
  // The edge is repeated in the input and again at this level. Otherwise the finest level would
  // have to be computed up to 512 pixels beyond the picture.
  static constexpr int kRepeated = 3;

  static std::string named(const std::string &name, int level) {
    return name + "_" + std::to_string(level);
  }

  // Each level has a kernel on the way down and one on the way up, except the coarsest levels,
  // which are too small to fill a GPU. Each tile of the coarsest level that is stored on the way up
  // recomputes them in shared memory. The premultiplied input is not stored: its two readers
  // compute it.
  void scheduleForGpu() {
    const int count = pyramidLevels;
    const int lastPushed = std::max(count - 1 - fusedLevels, 1);
    const int lastPulled = std::max(count - 1 - fusedPulls, lastPushed);
    for (int j = 1; j < count; ++j) {
      Func f = pull[j];
      f.bound(c, 0, 4).reorder(c, x, y).unroll(c);
      if (j <= lastPulled)
        f.compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
      else
        f.compute_at(push[lastPushed], xo)
            .tile(x, y, xo, yo, xi, yi, threadsX, threadsY, TailStrategy::GuardWithIf)
            .gpu_threads(xi, yi);
      pullRows[j - 1].compute_at(f, xi).store_in(MemoryType::Register).unroll(y).unroll(c);
      push[j].bound(c, 0, 4);
      if (j > lastPushed)
        push[j].compute_at(push[lastPushed], xo).reorder(c, x, y).unroll(c).gpu_threads(x, y);
      else if (j > 1)
        tile(push[j].compute_root(), 1, 1, TailStrategy::RoundUp);
      else
        tile(push[j].compute_root().align_bounds(x, wide).align_bounds(y, tall), wide, tall,
             TailStrategy::RoundUp);
    }
    // The output may end within the pixels of a thread. The thread then stores those that fit.
    tile(output, wide, tall, TailStrategy::GuardWithIf);
    normalized.compute_at(output, xi).store_in(MemoryType::Register);
    normalized.bound_extent(x, wide).bound_extent(y, tall).bound(c, 0, 3);
    normalized.reorder(c, x, y).unroll(c).unroll(x).unroll(y);
    push[0].compute_at(normalized, x).store_in(MemoryType::Register).unroll(c);
  }

  void tile(Func f, int threadWide, int threadTall, TailStrategy tail) {
    f.split(x, xo, x, threadsX * threadWide, tail)
        .split(y, yo, y, threadsY * threadTall, tail)
        .split(x, xi, x, threadWide)
        .split(y, yi, y, threadTall)
        .reorder(c, x, y, xi, yi, xo, yo)
        .unroll(c)
        .unroll(x)
        .unroll(y)
        .gpu_threads(xi, yi)
        .gpu_blocks(xo, yo);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
  Func bounded, repeated{"pull_repeated"}, normalized{"normalized"};
  std::vector<Func> pull, pullRows, push;
};

} // namespace

HALIDE_REGISTER_GENERATOR(Interpolate, interpolate)
