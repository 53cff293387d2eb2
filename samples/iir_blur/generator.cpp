// SPDX-License-Identifier: MIT
// A recursive blur. A first-order low pass runs down and up the columns, then the picture is
// transposed. Both are done twice.
#include <Halide.h>

#include <string>

namespace {

using namespace Halide;

class IirBlur : public Generator<IirBlur> {
public:
  // The numbers of columns and of rows that a block scans in shared memory. A block has 48 KiB, for
  // 12,288 pixels: four columns of up to 3,072 pixels or eight rows of up to 1,536. A larger
  // picture needs smaller numbers, or `global`.
  GeneratorParam<int> columnLines{"column_lines", 4};
  GeneratorParam<int> rowLines{"row_lines", 8};
  // The number of threads of a block that load and store lines, and the number of pixels that each
  // of them loads at once. The scan itself uses one thread for each line.
  GeneratorParam<int> threads{"threads", 256};
  GeneratorParam<int> loads{"loads", 8};
  // The number of scan steps whose pixels are loaded together.
  GeneratorParam<int> deep{"deep", 16};
  // True: neighbours in memory are pixels of one line. False: they are pixels of different lines.
  GeneratorParam<bool> alongLine{"along_line", false};
  // True: a block keeps its lines in global memory instead of shared memory, so their number is not
  // limited.
  GeneratorParam<bool> global{"global", false};

  Input<Buffer<float, 3>> input{"input"};
  Input<float> alpha{"alpha"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    const Expr width = input.dim(0).extent(), height = input.dim(1).extent();
    columns = Scan("columns", height);
    rows = Scan("rows", width);
    columns.blurred(x, y, c) = input(x, y, c);
    scan(columns);
    turned(x, y, c) = columns.blurred(y, x, c);
    rows.blurred(x, y, c) = turned(x, y, c);
    scan(rows);
    output(x, y, c) = rows.blurred(y, x, c);

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    input.dim(0).set_min(0);
    input.dim(1).set_min(0);
    alpha.set_estimate(0.1f);
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.dim(0).set_bounds(0, width);
    output.dim(1).set_bounds(0, height);

    if (!using_autoscheduler() && get_target().has_gpu_feature()) {
      scheduleForGpu(columns, turned.compute_root(), columnLines);
      scheduleForGpu(rows, output, rowLines);
    }
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  // Scans down a column and up again, in place. The first pixel of each direction is its own
  // predecessor.
  struct Scan {
    Func blurred;
    RDom step;
    Expr last;

    Scan() = default;
    Scan(const std::string &name, const Expr &length)
        : blurred(name), step(0, length, name + "_step"), last(length - 1) {}
  };

  void scan(Scan &s) {
    // The first pixel is computed like all others, with itself as predecessor. Compilers then keep
    // all but one multiplication and addition off the dependency chain from pixel to pixel.
    const auto smooth = [&](Expr at, Expr before) {
      s.blurred(x, at, c) = (1.0f - alpha) * s.blurred(x, before, c) + alpha * s.blurred(x, at, c);
    };
    smooth(s.step, max(s.step - 1, 0));
    smooth(s.last - s.step, s.last - max(s.step - 1, 0));
    // Whole lines are computed, whichever pixels of the output are required.
    s.blurred.bound(y, 0, s.last + 1);
  }

  // The columns have a kernel and the rows have one. A block loads whole lines to shared memory,
  // where few threads scan them without waiting for global memory. The block then stores the lines
  // transposed.
  void scheduleForGpu(Scan &s, Func turnedLines, int lines) {
    RVar far("far"), near("near");
    turnedLines.split(y, block, line, lines, TailStrategy::ShiftInwards)
        .split(x, part, thread, threads, TailStrategy::GuardWithIf)
        .reorder(line, part, thread, block, c)
        .unroll(line)
        .gpu_threads(thread)
        .gpu_blocks(block, c);
    s.blurred.compute_at(turnedLines, block)
        .bound_extent(x, lines)
        .split(y, part, y, static_cast<int>(threads) / lines, TailStrategy::GuardWithIf)
        .fuse(x, y, thread)
        .reorder(part, thread, c)
        .unroll(part, loads, TailStrategy::GuardWithIf)
        .gpu_threads(thread);
    if (global) s.blurred.store_in(MemoryType::Heap);
    if (alongLine) s.blurred.reorder_storage(y, x, c);
    for (int direction = 0; direction < 2; ++direction)
      s.blurred.update(direction)
          .split(s.step.x, far, near, deep, TailStrategy::GuardWithIf)
          .reorder(near, far, x, c)
          .unroll(near)
          .gpu_threads(x);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  Var block{"block"}, line{"line"}, part{"part"}, thread{"thread"};
  Scan columns, rows;
  Func turned{"turned"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(IirBlur, iir_blur)
