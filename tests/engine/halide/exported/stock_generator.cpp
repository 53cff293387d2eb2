// SPDX-License-Identifier: MIT
// The sample blur as its author would write it after exporting a schedule: the header is included
// and called in schedule(). It is linked with Halide's own main().
#include <Halide.h>

#include "blur_shared.schedule.h"

namespace {

using namespace Halide;

class StockBlur : public Generator<StockBlur> {
public:
  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    Func blurX("blur_x");
    Var x("x"), y("y");
    blurX(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3;
    output(x, y) = (blurX(x, y) + blurX(x, y + 1) + blurX(x, y + 2)) / 3;
  }

  void schedule() { apply_schedule_blur_shared(get_pipeline(), get_target()); }
};

} // namespace

HALIDE_REGISTER_GENERATOR(StockBlur, stock_blur)
