// SPDX-License-Identifier: MIT
// Non-local means [Buades, Coll and Morel 2005]: a pixel becomes the mean of the pixels in a window
// around it. The weight of each is larger, the more alike the patches around the two pixels are.
// The sum over a patch is made separably for each offset [Darbon et al. 2008].
#include <Halide.h>

namespace {

using namespace Halide;

class NlMeans : public Generator<NlMeans> {
public:
  GeneratorParam<int> patch{"patch_size", 7, 1, 15};
  GeneratorParam<int> search{"search_area", 7, 1, 15};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};

  Input<Buffer<float, 3>> input{"input"};
  Input<float> sigma{"sigma"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int edge = patch, window = search;
    // The squared differences of two patches are divided by sigma^2 and by the number of pixels in
    // a patch.
    Expr scale = -1.0f / (sigma * sigma * static_cast<float>(edge * edge));

    bounded = BoundaryConditions::repeat_edge(input);
    Expr step = bounded(x, y, c) - bounded(x + dx, y + dy, c);
    squared(x, y, dx, dy, c) = step * step;
    distance(x, y, dx, dy) =
        squared(x, y, dx, dy, 0) + squared(x, y, dx, dy, 1) + squared(x, y, dx, dy, 2);
    down = RDom(-(edge / 2), edge, "down");
    across = RDom(-(edge / 2), edge, "across");
    patchColumn(x, y, dx, dy) = 0.0f;
    patchColumn(x, y, dx, dy) += distance(x, y + down, dx, dy);
    patchSum(x, y, dx, dy) = 0.0f;
    patchSum(x, y, dx, dy) += patchColumn(x + across, y, dx, dy);
    weight(x, y, dx, dy) = fast_exp(patchSum(x, y, dx, dy) * scale);

    // The fourth channel is one, so that it sums the weights.
    withOne(x, y, c) = select(c == 3, 1.0f, bounded(x, y, min(c, 2)));
    s = RDom(-(window / 2), window, -(window / 2), window, "s");
    sum(x, y, c) = 0.0f;
    sum(x, y, c) += weight(x, y, s.x, s.y) * withOne(x + s.x, y + s.y, c);
    mean(x, y, c) = sum(x, y, c) / sum(x, y, 3);
    output(x, y, c) = clamp(mean(x, y, c), 0.0f, 1.0f);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    sigma.set_estimate(0.12f);
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // One kernel. A block goes through the rows of the search window. For all offsets of a row it
  // makes the distances and their column sums in shared memory. Each thread first adds up a row of
  // weighted pixels, and then adds the result to its sums, which are in shared memory too.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    Func(output).bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, xo, yo, xi, yi, threadsX,
                                                                    threadsY);
    sum.compute_at(output, xo).bound_extent(c, 4).reorder(c, x, y).unroll(c).gpu_threads(x, y);
    sum.update().reorder(c, s.x, x, y, s.y).unroll(c).unroll(s.x).gpu_threads(x, y);
    weight.compute_at(sum, s.x).store_in(MemoryType::Register);
    patchSum.compute_at(sum, s.x).store_in(MemoryType::Register);
    patchSum.update().unroll(across);
    patchColumn.compute_at(sum, s.y)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .reorder(dx, dy, xo, xi, y)
        .gpu_threads(xi, y);
    patchColumn.update()
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .reorder(down, dx, dy, xo, xi, y)
        .unroll(down)
        .gpu_threads(xi, y);
    distance.compute_at(sum, s.y)
        .split(x, xo, xi, threadsX, TailStrategy::GuardWithIf)
        .split(y, yo, yi, threadsY, TailStrategy::GuardWithIf)
        .reorder(dx, dy, xo, yo, xi, yi)
        .gpu_threads(xi, yi);
  }

  Var x{"x"}, y{"y"}, c{"c"}, dx{"dx"}, dy{"dy"};
  RDom down, across, s;
  Func bounded, squared{"squared"}, distance{"distance"}, patchColumn{"patch_column"},
      patchSum{"patch_sum"};
  Func weight{"weight"}, withOne{"with_one"}, sum{"sum"}, mean{"mean"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(NlMeans, nl_means)
