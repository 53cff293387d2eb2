// SPDX-License-Identifier: MIT
// The sample to start with: two stages, hence one choice.
//
//   input ──▶ across ──▶ output          across: mean of three along x
//                                        output: mean of three of those along y
//
// Each pixel of `output` needs three of `across`, and each pixel of `across` is needed by three of
// `output`. Where should `across` be kept after it is made and before it is used? The parameter
// `keep` has the four answers that a GPU offers, from the most arithmetic to the most traffic. The
// worst answer is not the same on every machine. Open the sample with `--param keep=…` and
// `--own-schedule` to see the effect of each, and let the explorer search for a better schedule.
#include <Halide.h>

namespace {

using namespace Halide;

enum class Keep { Nowhere, Registers, Shared, Global };

class TwoStageBlur : public Generator<TwoStageBlur> {
public:
  // The user of the generator chooses these parameters. The algorithm does not depend on them.
  GeneratorParam<Keep> keep{"keep",
                            Keep::Registers,
                            {{"nowhere", Keep::Nowhere},
                             {"registers", Keep::Registers},
                             {"shared", Keep::Shared},
                             {"global", Keep::Global}}};
  GeneratorParam<int> threadsX{"threads_x", 32}; // a warp that reads neighbouring pixels
  GeneratorParam<int> threadsY{"threads_y", 4};
  GeneratorParam<int> tall{"tall", 8}; // rows of the output that one thread makes

  // The input and the output: pixels of 32-bit floats in two dimensions.
  Input<Buffer<float, 2>> input{"input"};
  Output<Buffer<float, 2>> output{"output"};

  void generate() {
    // The algorithm says what each pixel is, as a function of x and y. It does not say in which
    // order pixels are made, where they are kept or how often they are computed.
    across(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3.0f;
    output(x, y) = (across(x, y) + across(x, y + 1) + across(x, y + 2)) / 3.0f;

    // Estimates are the sizes that a scheduler may count on, as {first, extent} for each dimension.
    // The compiled pipeline still takes any size. The input is two larger because x + 2 and y + 2
    // are read.
    input.set_estimates({{0, kWidth + 2}, {0, kHeight + 2}});
    output.set_estimates({{0, kWidth}, {0, kHeight}});

    // The schedule says how the pixels are computed. An autoscheduler brings its own.
    if (!using_autoscheduler() && get_target().has_gpu_feature()) scheduleForGpu();
  }

private:
  static constexpr int kWidth = 1536;
  static constexpr int kHeight = 2560;

  void scheduleForGpu() {
    Var xBlock("x_block"), yBlock("y_block"), xThread("x_thread"), yThread("y_thread"), row("row");

    // The output is scheduled first, because the schedule of `across` refers to its loops. Its
    // loops are cut into tiles. A block of threads makes a tile of 32 by 4·8 pixels, and each of
    // its threads makes eight rows of one column. `unroll` writes the eight rows out, so that they
    // can share values in registers.
    Func(output)
        .tile(x, y, xBlock, yBlock, xThread, yThread, threadsX, threadsY * tall.value())
        .split(yThread, yThread, row, tall)
        .reorder(row, xThread, yThread, xBlock, yBlock)
        .unroll(row)
        .gpu_threads(xThread, yThread)
        .gpu_blocks(xBlock, yBlock);

    switch (keep) {
    case Keep::Nowhere:
      // The default: `across` is inlined, and every value is computed three times. The compiler may
      // notice that unrolled rows share values, but threads cannot share them.
      break;

    case Keep::Registers:
      // Per thread: the ten values that its eight rows need are made once and kept in registers.
      // The two additional values, a quarter of eight, are also made by a neighbouring thread.
      // Nothing is written to memory.
      across.compute_at(output, xThread).store_in(MemoryType::Register).unroll(y);
      break;

    case Keep::Shared:
      // Per block: all threads together make 32 by 34 values and keep them in shared memory. Only
      // two rows in 34 are done twice, but the block has to wait until the last value is there.
      across.compute_at(output, xBlock)
          .split(y, yThread, row, threadsY, TailStrategy::GuardWithIf)
          .reorder(yThread, x, row)
          .gpu_threads(x, row);
      break;

    case Keep::Global:
      // A kernel of its own runs before the output's. Each value is computed once, but 15.7 MB are
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
