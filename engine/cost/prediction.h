// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/time/kernel_time.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>
#include <vector>

namespace tessera::cost {

// What our model says of a schedule: every number that explain, roofline and the tables show.
struct Prediction {
  struct Kernel {
    KernelLoad load;
    KernelTime time;
  };
  std::vector<Kernel> kernels; // in the order of their launches
  double fromDram = 0;         // the part of the traffic that the second-level cache does not hold
  double seconds = 0;          // of one run, runs following each other

  double milliseconds() const { return seconds * 1e3; }
};

// The schedule has to be legal. With the kernels of a compiled one, their registers and spills are
// those that the assembler gave.
Prediction predict(const schedule::Schedule &schedule, const machine::Machine &machine,
                   std::span<const report::KernelReport> compiled = {});

// What the assembler said of a kernel. It is known by the stage that owns its blocks, the first
// that it computes.
std::optional<report::AssemblerReport> assembledOf(const pipeline::Pipeline &pipeline,
                                                   const KernelLoad &load,
                                                   std::span<const report::KernelReport> compiled);

// What a search asks about some kernels.
struct Glance {
  double seconds = 0;
  double longestBody = 0;      // instructions without a loop; compilers take long over long ones
  std::int64_t mostShared = 0; // bytes of a block
};
Glance glanceOf(const Prediction &prediction);
// The part of a schedule's traffic that the second-level cache does not hold.
double fromDramOf(const schedule::Schedule &schedule, const machine::Machine &machine);
// Of a run that touches so many bytes.
double fromDramOf(double workingSet, const machine::Machine &machine);

} // namespace tessera::cost
