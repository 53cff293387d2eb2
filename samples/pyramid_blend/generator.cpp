// SPDX-License-Identifier: MIT
// Joins two pictures along a mask without a seam [Burt and Adelson 1983]. Their Laplacian pyramids
// are blended level by level, weighted by a Gaussian pyramid of the mask, and collapsed.
#include <Halide.h>

#include <string>
#include <vector>

namespace {

using namespace Halide;

class PyramidBlend : public Generator<PyramidBlend> {
public:
  GeneratorParam<int> pyramidLevels{"pyramid_levels", 4, 2, 10};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 4};
  // The number of pixels, along x and y, that a thread makes on the way down (fine to coarse).
  GeneratorParam<int> wide{"wide", 2};
  GeneratorParam<int> tall{"tall", 4};
  // True: the first pass of a reduction, along y, is kept in shared memory. False: each thread
  // computes those values of the first pass that it needs.
  GeneratorParam<bool> shared{"shared", true};
  GeneratorParam<int> rows{"rows", 2}; // rows that a thread makes on the way up; an even number

  Input<Buffer<float, 3>> left{"left"};
  Input<Buffer<float, 3>> right{"right"};
  Input<Buffer<float, 2>> mask{"mask"}; // one where the left picture shows
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int count = pyramidLevels;
    const std::vector<Func> lefts = gaussian("left", BoundaryConditions::repeat_edge(left));
    const std::vector<Func> rights = gaussian("right", BoundaryConditions::repeat_edge(right));
    const std::vector<Func> masks = gaussian("mask", BoundaryConditions::repeat_edge(mask));
    const std::vector<Func> leftDetails = laplacian(lefts), rightDetails = laplacian(rights);

    for (int j = 0; j < count; ++j) {
      Func blended(named("blended", j));
      Expr share = masks[j](x, y);
      blended(x, y, c) =
          share * leftDetails[j](x, y, c) + (1.0f - share) * rightDetails[j](x, y, c);
      blend.push_back(blended);
    }
    collapsed.resize(count);
    collapsed[count - 1] = blend[count - 1];
    for (int j = count - 2; j >= 0; --j) {
      collapsed[j] = Func(named("collapsed", j));
      collapsed[j](x, y, c) = blend[j](x, y, c) + expanded(collapsed[j + 1], expandedSums);
    }
    output(x, y, c) = collapsed[0](x, y, c);

    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
    output.dim(2).set_bounds(0, 3);
    left.dim(2).set_bounds(0, 3);
    right.dim(2).set_bounds(0, 3);
    left.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    right.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    mask.set_estimates({{0, kWidth}, {0, kHeight}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 3840;
  static constexpr int kHeight = 2160;

  static std::string named(const std::string &name, int level) {
    return name + "_" + std::to_string(level);
  }

  // Each level has half as many pixels in both dimensions. It is filtered with the weights 1 4 6 4
  // 1, first along y.
  std::vector<Func> gaussian(const std::string &name, Func finest) {
    using Halide::_;
    const auto sum = [](Expr a, Expr b, Expr m, Expr d, Expr e) {
      return (a + e + 4.0f * (b + d) + 6.0f * m) * (1.0f / 16.0f);
    };
    std::vector<Func> levels = {finest};
    for (int j = 1; j < pyramidLevels; ++j) {
      Func f = levels.back(), down(named(name + "_down", j)), level(named(name, j));
      down(x, y, _) = sum(f(x, 2 * y - 2, _), f(x, 2 * y - 1, _), f(x, 2 * y, _),
                          f(x, 2 * y + 1, _), f(x, 2 * y + 2, _));
      level(x, y, _) = sum(down(2 * x - 2, y, _), down(2 * x - 1, y, _), down(2 * x, y, _),
                           down(2 * x + 1, y, _), down(2 * x + 2, y, _));
      reductions.push_back({f, down, level});
      levels.push_back(level);
    }
    return levels;
  }

  // The details of each level that the next coarser level cannot show.
  std::vector<Func> laplacian(const std::vector<Func> &levels) {
    std::vector<Func> details;
    for (std::size_t j = 0; j + 1 < levels.size(); ++j) {
      Func detail(levels[j].name() + "_detail");
      detail(x, y, c) = levels[j](x, y, c) - expanded(levels[j + 1], expandedLevels);
      details.push_back(detail);
    }
    details.push_back(levels.back());
    return details;
  }

  // Expands to twice as many pixels in both dimensions with the weights 1 4 6 4 1. The func of the
  // first pass is appended to `firstPasses`.
  Expr expanded(Func f, std::vector<Func> &firstPasses) {
    const auto between = [](Expr position, Expr a, Expr b, Expr d) {
      return select(position % 2 == 0, (a + 6.0f * b + d) * (1.0f / 8.0f), (b + d) * (1.0f / 2.0f));
    };
    Func up(f.name() + "_up");
    up(x, y, c) = between(x, f(x / 2 - 1, y, c), f(x / 2, y, c), f(x / 2 + 1, y, c));
    firstPasses.push_back(up);
    return between(y, up(x, y / 2 - 1, c), up(x, y / 2, c), up(x, y / 2 + 1, c));
  }

  // On the way down, each level of each pyramid but the finest has a kernel. On the way up, each
  // level of the result but the coarsest has one: the coarsest is blended where it is read. Details
  // are not stored.
  void scheduleForGpu() {
    for (const Reduction &one : reductions)
      scheduleDown(one);
    for (int j = pyramidLevels - 2; j >= 0; --j)
      scheduleUp(j);
  }

  struct Reduction {
    Func finer, first, result;
  };

  void scheduleDown(const Reduction &one) {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt");
    Func result = one.result, first = one.first, finer = one.finer;
    const bool planar = result.dimensions() == 3;
    result.compute_root()
        .tile(x, y, xo, yo, xi, yi, threadsX * wide.value(), threadsY * tall.value())
        .split(yi, yt, yi, tall);
    // With shared memory, neighbouring threads make pixels that are neighbours in x.
    if (shared)
      result.split(xi, xi, xt, threadsX).reorder(yi, xi, xt, yt, xo, yo).unroll(xi);
    else
      result.split(xi, xt, xi, wide).reorder(yi, xi, xt, yt, xo, yo).unroll(xi);
    result.unroll(yi).gpu_threads(xt, yt);
    if (planar)
      result.gpu_blocks(xo, yo, result.args()[2]);
    else
      result.gpu_blocks(xo, yo);
    if (shared) {
      // Each column is computed once. A thread makes `tall` rows of it.
      first.compute_at(result, xo)
          .split(x, xi, xt, threadsX, TailStrategy::GuardWithIf)
          .split(y, yt, yi, tall)
          .reorder(yi, xi, xt, yt)
          .unroll(yi)
          .gpu_threads(xt, yt);
      // Each value is loaded once, although several rows read it.
      Func values = finer.in(first);
      values.compute_at(first, xi).store_in(MemoryType::Register).unroll(values.args()[1]);
    } else {
      first.compute_at(result, xt).store_in(MemoryType::Register).unroll(x).unroll(y);
    }
  }

  // A thread makes two columns, so that the compiler knows which one is odd, and a few rows. Where
  // the output ends within the pixels of a thread, the thread stores only those that fit; all are
  // computed in registers first.
  void scheduleUp(int level) {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), xt("xt"), yt("yt");
    const TailStrategy tail = level == 0 ? TailStrategy::GuardWithIf : TailStrategy::RoundUp;
    Func result = level == 0 ? Func(output) : collapsed[level].compute_root();
    if (level > 0) result.align_bounds(x, 2).align_bounds(y, 2);
    result.bound(c, 0, 3)
        .split(x, xo, xi, 2 * threadsX, tail)
        .split(y, yo, yi, rows * threadsY.value(), tail)
        .split(xi, xt, xi, 2)
        .split(yi, yt, yi, rows)
        .reorder(xi, yi, c, xt, yt, xo, yo)
        .unroll(xi)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    if (level == 0) {
      result = collapsed[0].compute_at(output, c).store_in(MemoryType::Register);
      result.bound_extent(x, 2).bound_extent(y, rows).unroll(x).unroll(y);
    }
    const int count = pyramidLevels;
    for (Func up : {expandedLevels[level], expandedLevels[count - 1 + level],
                    expandedSums[count - 2 - level]})
      up.compute_at(result, c).store_in(MemoryType::Register).unroll(x).unroll(y);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  std::vector<Reduction> reductions;
  std::vector<Func> expandedLevels; // left picture's, from fine to coarse, then right one's
  std::vector<Func> expandedSums;   // from coarse to fine
  std::vector<Func> blend, collapsed;
};

} // namespace

HALIDE_REGISTER_GENERATOR(PyramidBlend, pyramid_blend)
