// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/time/kernel_time.h"
#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::cost {

// What the cost model predicts for a schedule. The explain and roofline commands and the tables
// show these numbers.
struct Prediction {
  struct Kernel {
    KernelLoad load;
    KernelTime time;
  };
  std::vector<Kernel> kernels; // in launch order
  double fromDram = 0;         // fraction of the traffic that misses the second-level cache
  double seconds = 0;          // of one run of the pipeline, when runs follow each other

  double milliseconds() const { return seconds * 1e3; }
};

// The schedule has to be legal. If `compiled` holds the kernels of its compiled code, their
// registers and spills are those that the assembler reported.
Prediction predict(const schedule::Schedule &schedule, const machine::Machine &machine,
                   std::span<const report::KernelReport> compiled = {});

// What a prediction leaves out, for the user: the time of the extern stages. Empty if there are
// none.
std::string unknownTimes(const pipeline::Pipeline &pipeline);

// What the assembler reported for a kernel. The kernel is found by the stage that owns its blocks,
// which is the first one in KernelReport::stages.
std::optional<report::AssemblerReport> assembledOf(const pipeline::Pipeline &pipeline,
                                                   const KernelLoad &load,
                                                   std::span<const report::KernelReport> compiled);

// What a search needs to know of some kernels.
struct Glance {
  double seconds = 0;
  // Instructions of the longest straight-line body; long ones compile slowly.
  double longestBody = 0;
  std::int64_t mostShared = 0; // bytes per block, the maximum of all kernels
};
Glance glanceOf(const Prediction &prediction);
// The part of a schedule's traffic that misses the second-level cache.
double fromDramOf(const schedule::Schedule &schedule, const machine::Machine &machine);
// The part of the traffic that misses the second-level cache if a run touches `workingSet` bytes.
double fromDramOf(double workingSet, const machine::Machine &machine);

} // namespace tessera::cost
