// SPDX-License-Identifier: MIT
// Uses an exported header in a stock generator without changing a line of the generator: this
// autoscheduler does what the header says. It is compiled for each header, with TESSERA_SCHEDULE as
// the header's file in quotes and TESSERA_APPLY as its function:
//
//   GENERATOR -g NAME -f NAME -o DIR -e object -p THIS target=… autoscheduler=Exported
#include <Halide.h>

#include TESSERA_SCHEDULE

namespace {

struct Exported {
  void operator()(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &, Halide::AutoSchedulerResults *) const {
    TESSERA_APPLY(pipeline, target);
  }
};

const bool kRegistered = [] {
  Halide::Pipeline::add_autoscheduler("Exported", Exported());
  return true;
}();

} // namespace

// Keeps linkers from dropping the registration, which nothing else refers to.
extern "C" bool exportedAutoschedulerRegistered() { return kRegistered; }
