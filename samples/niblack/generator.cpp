// SPDX-License-Identifier: MIT
// Separates ink from paper (W. Niblack, "An Introduction to Digital Image Processing", 1986): a
// pixel is paper if it is brighter than mean - deviation / 5 of the window around it. Sums over
// windows come from a summed-area table (F. Crow, "Summed-Area Tables for Texture Mapping",
// SIGGRAPH 1984) of 16-bit pixels and of their squares. The window is cut off at the border. All is
// computed in integers and is therefore exact.
#include <Halide.h>

namespace {

using namespace Halide;

class Niblack : public Generator<Niblack> {
public:
  // A window has 2 * radius + 1 pixels each way. To 31 no number overflows.
  GeneratorParam<int> radius{"radius", 7, 1, 31};
  GeneratorParam<int> lines{"lines", 2}; // rows of a block that sums along them
  GeneratorParam<int> threads{"threads", 256};
  GeneratorParam<int> deep{"deep", 16}; // steps of a sum whose numbers are loaded together
  GeneratorParam<int> tall{"tall", 4};

  Input<Buffer<std::uint16_t, 2>> input{"input"};
  Output<Buffer<bool, 2>> output{"output"};

  void generate() {
    const Expr width = input.dim(0).extent(), height = input.dim(1).extent();
    makeTable(width, height);

    const Expr left = x - radius - 1, right = min(x + radius, width - 1);
    const Expr top = y - radius - 1, bottom = min(y + radius, height - 1);
    const auto sumOf = [&](int part) {
      const auto upTo = [&](const Expr &column, const Expr &row) {
        const Expr inside = table(clamp(column, 0, width - 1), clamp(row, 0, height - 1))[part];
        return select(column < 0 || row < 0, cast(inside.type(), 0), inside);
      };
      return upTo(right, bottom) - upTo(left, bottom) - upTo(right, top) + upTo(left, top);
    };
    const Expr pixels = (right - max(left, -1)) * (bottom - max(top, -1));
    window(x, y) = Tuple(cast<std::uint16_t>(pixels), sumOf(0), sumOf(1));

    // pixel > mean - deviation / 5, times 5 * count: above > -sqrt(spread).
    const Expr count = cast<std::int64_t>(window(x, y)[0]);
    const Expr sum = cast<std::int64_t>(window(x, y)[1]);
    const Expr spread = count * cast<std::int64_t>(window(x, y)[2]) - sum * sum;
    const Expr above = 5 * (count * input(x, y) - sum);
    output(x, y) = select(above < 0, above * above<spread, above> 0 || spread > 0);

    input.dim(0).set_min(0).dim(1).set_min(0);
    input.set_estimates({{0, kWidth}, {0, kHeight}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536, kHeight = 2560;

  // Sums of pixels overflow 32 bits, which does no harm: those of a window do not, and differences
  // are right modulo 2^32. Sums of squares need 64.
  void makeTable(const Expr &width, const Expr &height) {
    const Expr pixel = cast<std::uint64_t>(input(x, y));
    columns = RDom(1, width - 1, "columns");
    across(x, y) = Tuple(cast<std::uint32_t>(input(x, y)), pixel * pixel);
    across(columns, y) = plus(across(columns - 1, y), across(columns, y));
    rows = RDom(1, height - 1, "rows");
    table(x, y) = Tuple(across(x, y)[0], across(x, y)[1]);
    table(x, rows) = plus(table(x, rows - 1), table(x, rows));
  }

  static Tuple plus(const Tuple &a, const Tuple &b) { return {a[0] + b[0], a[1] + b[1]}; }

  // Three kernels. In the first, a block sums along a few rows in shared memory and stores them. In
  // the second, each thread sums down a column. The third decides the pixels.
  void scheduleForGpu() {
    Var xo("xo"), yo("yo"), xt("xt"), yt("yt"), yi("yi");
    RVar far("far"), near("near");
    table.compute_root()
        .split(y, yo, yi, lines, TailStrategy::GuardWithIf)
        .split(x, xo, xt, threads, TailStrategy::GuardWithIf)
        .reorder(xo, yi, xt, yo)
        .gpu_threads(xt)
        .gpu_blocks(yo);
    across.compute_at(table, yo)
        .split(x, xo, xt, threads, TailStrategy::GuardWithIf)
        .reorder(xo, y, xt)
        .gpu_threads(xt);
    across.update()
        .split(columns, far, near, deep, TailStrategy::GuardWithIf)
        .split(y, yo, yt, lines, TailStrategy::GuardWithIf)
        .reorder(near, far, yt, yo)
        .unroll(near)
        .gpu_threads(yt);
    table.update()
        .split(rows, far, near, deep, TailStrategy::GuardWithIf)
        .split(x, xo, xt, 32, TailStrategy::GuardWithIf)
        .reorder(near, far, xt, xo)
        .unroll(near)
        .gpu_threads(xt)
        .gpu_blocks(xo);

    Func(output)
        .split(x, xo, xt, 32, TailStrategy::GuardWithIf)
        .split(y, yo, yt, 8 * tall.value(), TailStrategy::GuardWithIf)
        .split(yt, yi, yt, 8)
        .reorder(yi, xt, yt, xo, yo)
        .unroll(yi)
        .gpu_threads(xt, yt)
        .gpu_blocks(xo, yo);
    window.compute_at(output, yi).store_in(MemoryType::Register);
  }

  Var x{"x"}, y{"y"};
  RDom columns, rows;
  Func across{"across"}, table{"table"}, window{"window"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(Niblack, niblack)
