// SPDX-License-Identifier: MIT
// lower_exported NAME OUT: in a process of its own, as a stock generator is, builds the sample by
// its registered generator, applies the exported C++ header and writes the lowered code.
#include <Halide.h>

#include "tests/engine/halide/exported/lower_to_file.h"

#include "all_schedules.h"

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char **words) {
  if (count != 3) return std::fprintf(stderr, "usage: lower_exported NAME OUT\n"), 2;
  for (const ExportedSchedule &schedule : kExportedSchedules) {
    if (schedule.name != std::string(words[1])) continue;
    try {
      // With an autoscheduler in its context, the generator applies no schedule of its own.
      const Halide::Target target("x86-64-linux-cuda-cuda_capability_86-no_runtime");
      const Halide::GeneratorContext context(target, Halide::AutoschedulerParams("none", {}));
      const auto generator = Halide::Internal::GeneratorRegistry::create(schedule.sample, context);
      Halide::Pipeline pipeline = generator->build_pipeline();
      tessera::halide::testing::levelNames(tessera::halide::testing::kBeforeScheduling);
      schedule.apply(pipeline, target);
      tessera::halide::testing::lowerToFile(pipeline, words[2]);
      std::_Exit(0); // static destructors of LLVM may crash
    } catch (const Halide::Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::_Exit(1);
    }
  }
  return std::fprintf(stderr, "lower_exported: no schedule %s\n", words[1]), 2;
}
