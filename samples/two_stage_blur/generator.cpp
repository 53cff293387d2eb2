// SPDX-License-Identifier: MIT
// The sample to start with: two stages, hence one choice.
//
//   input ──▶ across ──▶ output          across: mean of three along x
//                                        output: mean of three of those along y
//
// Each pixel of `output` needs three of `across`, and each pixel of `across` is needed by three of
// `output`. So: where should `across` be kept between being made and being used? The parameter
// `keep` has the four answers that a GPU offers, from the most arithmetic to the most traffic, and
// the worst one is not the same on every machine. Open the sample with `--param keep=…` and
// `--own-schedule` to see what each makes of it, and let the explorer search for a better one.
#include <Halide.h>

namespace {

using namespace Halide;

enum class Keep { Nowhere, Registers, Shared, Global };

class TwoStageBlur : public Generator<TwoStageBlur> {
public:
  // Parameters are for whoever runs the generator; nothing in the algorithm depends on these.
  GeneratorParam<Keep> keep{"keep",
                            Keep::Registers,
                            {{"nowhere", Keep::Nowhere},
                             {"registers", Keep::Registers},
                             {"shared", Keep::Shared},
                             {"global", Keep::Global}}};
  GeneratorParam<int> threadsX{"threads_x", 32}; // a warp: neighbours read neighbours
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> tall{"tall", 8}; // rows of the output that one thread makes

  // What comes in and what goes out: pixels of 32-bit floats in two dimensions.
  Input<Buffer<float, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    // The algorithm: what each pixel is, as a function of x and y. Nothing here says in which
    // order pixels are made, where they are kept or how often they are computed.
    across(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3.0f;
    output(x, y) = (across(x, y) + across(x, y + 1) + across(x, y + 2)) / 3.0f;

    // Estimates: the size that a scheduler may count on (as {first, how many} per dimension). The
    // compiled pipeline still takes any size. The input is two larger, since we read x + 2, y + 2.
    input.set_estimates({{0, kWidth + 2}, {0, kHeight + 2}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    // The schedule: how it is computed. An autoscheduler brings its own.
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  void scheduleForGpu() {
    Var xBlock("x_block"), yBlock("y_block"), xThread("x_thread"), yThread("y_thread"), row("row");

    // The output first, since all else is placed relative to it. Its loops are cut into tiles: a
    // block of threads makes a tile of 32 by 4·8 pixels, and each thread of it eight rows of one
    // column. `unroll` writes the eight out, so that they can share values in registers.
    Func(output)
        .tile(x, y, xBlock, yBlock, xThread, yThread, threadsX, threadsY * tall.value())
        .split(yThread, yThread, row, tall)
        .reorder(row, xThread, yThread, xBlock, yBlock)
        .unroll(row)
        .gpu_threads(xThread, yThread)
        .gpu_blocks(xBlock, yBlock);

    switch (keep) {
    case Keep::Nowhere:
      // What happens without a word: `across` is inlined, every value computed three times. The
      // compiler may notice that unrolled rows share some; across threads nobody can.
      break;

    case Keep::Registers:
      // Per thread: the ten values that its eight rows need, made once and kept in registers.
      // Ten instead of eight, so a quarter is done twice; nothing is written to memory.
      across.compute_at(output, xThread).store_in(MemoryType::Register).unroll(y);
      break;

    case Keep::Shared:
      // Per block: 32 by 34 values, made by all threads together, kept in shared memory. Only two
      // rows in 34 are done twice, but the block has to wait until the last one is there.
      across.compute_at(output, xBlock)
          .split(y, yThread, row, threadsY, TailStrategy::GuardWithIf)
          .reorder(yThread, x, row)
          .gpu_threads(x, row);
      break;

    case Keep::Global:
      // A kernel of its own, before the output's: each value is computed once, and 15.7 MB are
      // written and read again.
      across.compute_root().gpu_tile(x, y, xBlock, yBlock, xThread, yThread, threadsX, threadsY);
      break;
    }
  }

  Var x{"x"}, y{"y"};
  Func across{"across"};
};

} // namespace

HALIDE_REGISTER_GENERATOR(TwoStageBlur, two_stage_blur)
