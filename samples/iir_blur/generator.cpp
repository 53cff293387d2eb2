// SPDX-License-Identifier: MIT
// A recursive blur: a first-order low pass runs down and up the columns, then along the rows to
// the right and back.
#include <Halide.h>

namespace {

using namespace Halide;

class IirBlur : public Generator<IirBlur> {
public:
  GeneratorParam<int> threads{"threads", 32};
  GeneratorParam<int> deep{"deep", 16};

  Input<Buffer<float, 3>> input{"input"};
  Input<float> alpha{"alpha"};
  Output<Buffer<float, 3>> output{"output"};

  void generate() {
    // Each scan starts from the first value that it meets.
    Expr height = input.dim(1).extent();
    Expr width = input.dim(0).extent();
    rows = RDom(0, height, "rows");
    columns = RDom(0, width, "columns");
    Expr up = height - 1 - rows, left = width - 1 - columns;

    downward(x, y, c) = undef<float>();
    downward(x, rows, c) = smoothed(rows, input(x, rows, c), downward(x, max(rows - 1, 0), c));
    upward(x, y, c) = undef<float>();
    upward(x, up, c) = smoothed(rows, downward(x, up, c), upward(x, min(up + 1, height - 1), c));
    rightward(x, y, c) = undef<float>();
    rightward(columns, y, c) =
        smoothed(columns, upward(columns, y, c), rightward(max(columns - 1, 0), y, c));
    output(x, y, c) = undef<float>();
    output(left, y, c) =
        smoothed(columns, rightward(left, y, c), output(min(left + 1, width - 1), y, c));

    input.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    input.dim(0).set_min(0);
    input.dim(1).set_min(0);
    alpha.set_estimate(0.1f);
    output.set_estimates({{0, kWidth}, {0, kHeight}, {0, 3}});
    output.dim(0).set_bounds(0, width);
    output.dim(1).set_bounds(0, height);

    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  Expr smoothed(RDom step, Expr next, Expr last) const {
    return select(step == 0, next, alpha * next + (1.0f - alpha) * last);
  }

  // A kernel a scan, a thread a line: few threads, so each loads `deep` values ahead of their use.
  // What lies between the scans is stored with the lines that are scanned next side by side.
  void scheduleForGpu() {
    upward.reorder_storage(y, x, c);
    rightward.reorder_storage(y, x, c);
    scheduleScan(downward, rows, x);
    scheduleScan(upward, rows, x);
    scheduleScan(rightward, columns, y);
    scheduleScan(output, columns, y);
  }

  void scheduleScan(Func scan, RDom along, Var line) {
    Var block("block"), thread("thread");
    RVar far("far"), near("near");
    if (scan.name() != Func(output).name()) scan.compute_root();
    scan.update()
        .split(along.x, far, near, deep, TailStrategy::GuardWithIf)
        .split(line, block, thread, threads, TailStrategy::GuardWithIf)
        .reorder(near, far, thread, block, c)
        .unroll(near)
        .gpu_threads(thread)
        .gpu_blocks(block, c);
  }

  Var x{"x"}, y{"y"}, c{"c"};
  RDom rows, columns;
  Func downward{"downward"}, upward{"upward"}, rightward{"rightward"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(IirBlur, iir_blur)
