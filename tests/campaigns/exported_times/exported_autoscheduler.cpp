// SPDX-License-Identifier: MIT
// An exported header in a stock generator: as an autoscheduler that does what the header says, so
// that no line of the generator is another. Compiled for each header, with TESSERA_SCHEDULE its
// file in quotes and TESSERA_APPLY its function:
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

// Keeps the registration alive against linkers that drop what nobody names.
extern "C" bool exportedAutoschedulerRegistered() { return kRegistered; }
