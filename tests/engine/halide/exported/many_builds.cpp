// SPDX-License-Identifier: MIT
// A generator whose funcs and loops have no name for them alone: Halide numbers them, and with
// other numbers in each build of the process. Built with TESSERA_TEST_SCHEDULES, it applies the
// exported schedule that it is told.
#include <Halide.h>

#ifdef TESSERA_TEST_SCHEDULES
#include "all_schedules.h"
#endif

#include <string>

namespace {

using namespace Halide;

class ManyBuilds : public Generator<ManyBuilds> {
public:
  GeneratorParam<std::string> wanted{"wanted", ""}; // the name of a schedule
  GeneratorParam<bool> another{"another", false};   // one more func is called blur
  Input<Buffer<uint16_t, 2>> input{"input"};
  Output<Buffer<uint16_t, 2>> output{"output"};

  void generate() {
    const Var x("x"), y("y"), unnamed;
    const RDom steps(0, 3), others(0, 2, "others");
    Func once("blur"), twice("blur"), thrice("blur"), scaled, wide, sum("sum");
    const Func padded = BoundaryConditions::repeat_edge(input);
    once(x, y) = padded(x, y) + padded(x + 1, y);
    const Func again = BoundaryConditions::repeat_edge(once, {{0, 512}, {0, 512}});
    twice(x, y) = again(x, y) + once(x, y + 1);
    if (another) thrice(x, y) = twice(x + 1, y);
    scaled(x, unnamed) = cast<uint16_t>((another ? thrice : twice)(x, unnamed) * 2);
    wide(x, y) = cast<uint16_t>(scaled(x, y) + 1);
    sum(x, y) += wide(x + steps, y);
    sum(x, y) += scaled(x, y + others);
    output(x, y) = cast<uint16_t>(sum(x, y) + wide(x, y) + once(x, y));
    sum.update(0).rfactor(steps, unnamed);
    sum.update(1).rfactor(others, unnamed);
    input.set_estimates({{0, 512}, {0, 512}});
    output.set_estimates({{0, 500}, {0, 500}});
  }

  void schedule() {
#ifdef TESSERA_TEST_SCHEDULES
    for (const ExportedSchedule &one : kExportedSchedules)
      if (one.name == wanted.value()) one.apply(get_pipeline(), get_target());
#endif
  }
};

} // namespace

HALIDE_REGISTER_GENERATOR(ManyBuilds, many_builds)
