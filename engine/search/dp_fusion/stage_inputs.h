// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/report/compile_report.h"
#include "engine/schedule/schedule.h"

#include <map>
#include <span>
#include <vector>

namespace tessera::search {

// "The inputs to our algorithm include the register usage and running time of each stage, prior to
// fusion" (section 6 of Jangda and Guha 2020). A stage of the paper is a func with all its updates.
struct StageMeasure {
  double registers = 0; // REG_USAGE, of a thread
  double seconds =
      0; // TIME_PER_ITER: one thread computes one point, with all loads from shared memory
};
using StageMeasures = std::map<pipeline::FuncId, StageMeasure>;

// Not measured but modelled: registers as the cost model estimates them, or as `ptxas` reported
// them for the kernels in `compiled`; seconds from the instructions of one thread, each of which
// waits for the one before. Each func has to be a kernel of its own in `apart`, with one point a
// thread.
StageMeasures modelledMeasures(const schedule::Schedule &apart, const machine::Machine &machine,
                               std::span<const report::KernelReport> compiled = {});

// The loads of one producer when a func computes one point.
struct ProducerLoads {
  pipeline::Producer producer;
  double count = 0; // different elements
  double bytes = 4; // of an element
  // Bytes from the element that one point reads to that of the next point, by dimension of the
  // func.
  std::vector<double> strides;
  // Of what data choose: the bytes and elements to choose from.
  double scattered = 0, places = 1;
};

// Inlined funcs are looked through; scalars and the func itself are left out.
std::vector<ProducerLoads> loadsOf(const schedule::Schedule &schedule, pipeline::FuncId func);

// The funcs that a schedule inlines into a func, directly or through others, in ascending order.
std::vector<pipeline::FuncId> inlinedInto(const schedule::Schedule &schedule,
                                          pipeline::FuncId func);

} // namespace tessera::search
