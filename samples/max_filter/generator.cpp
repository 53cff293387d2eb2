// SPDX-License-Identifier: MIT
// The maximum over a disc around each pixel. A table of maxima over 2, 4, 8, 16 and 32 rows gives
// the maximum over any column of the disc from two overlapping entries; the disc is the maximum
// of its columns.
#include <Halide.h>

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace Halide;

class MaxFilter : public Generator<MaxFilter> {
public:
  GeneratorParam<int> radius{"radius", 26, 1, 31};
  GeneratorParam<int> threadsX{"threads_x", 32};
  GeneratorParam<int> threadsY{"threads_y", 8};
  GeneratorParam<int> tall{"tall", 1};

  Input<Buffer<float, 3>> input{"input"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const int reach = radius;
    bounded = BoundaryConditions::repeat_edge(input);

    // table[j](x, y, c) is the maximum over rows y to y + 2^j - 1.
    table.push_back(bounded);
    for (int rows = 1; 2 * rows <= 2 * reach + 1; rows *= 2) {
      Func longer("rows_" + std::to_string(2 * rows));
      longer(x, y, c) = max(table.back()(x, y, c), table.back()(x, y + rows, c));
      table.push_back(longer);
    }

    // `whole` is the maximum over rows y - h to y + h: two overlapping entries of the largest table
    // that fits.
    Expr span = 2 * h + 1;
    Expr whole = max(table[0](x, y - h, c), table[0](x, y + h, c));
    for (int j = 1; j < static_cast<int>(table.size()); ++j)
      whole = select(span >= (1 << j),
                     max(table[j](x, y - h, c), table[j](x, y + h + 1 - (1 << j), c)), whole);
    column(x, y, c, h) = whole;

    // `half` is half the height of the disc, dx columns from its centre.
    dx = RDom(-reach, 2 * reach + 1, "dx");
    Expr square = cast<float>(reach * reach) + 0.25f - cast<float>(dx * dx);
    Expr half = clamp(cast<int>(sqrt(square)), 0, reach);
    disc(x, y, c) = -std::numeric_limits<float>::infinity();
    disc(x, y, c) = max(disc(x, y, c), column(x + dx, y, c, half));
    output(x, y, c) = disc(x, y, c);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // All tables are stored. The disc has so many columns that reading two entries for each of them
  // from L1 takes most of the time. The loop over columns is unrolled, so that heights and tables
  // are constants.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), yt("yt");
    for (std::size_t j = 1; j < table.size(); ++j)
      table[j].compute_root().gpu_tile(x, y, xo, yo, xi, yi, threadsX, threadsY);
    Func(output)
        .tile(x, y, xo, yo, xi, yi, threadsX, threadsY * tall.value())
        .split(yi, yi, yt, threadsY)
        .reorder(yi, xi, yt, xo, yo, c)
        .gpu_threads(xi, yt)
        .gpu_blocks(xo, yo, c);
    disc.compute_at(output, yi).store_in(MemoryType::Register);
    disc.update().unroll(dx);
  }

  Var x{"x"}, y{"y"}, c{"c"}, h{"h"};
  RDom dx;
  Func bounded, column{"column"}, disc{"disc"};
  std::vector<Func> table;
};

} // namespace

HALIDE_REGISTER_GENERATOR(MaxFilter, max_filter)
