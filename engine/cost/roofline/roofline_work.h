// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"
#include "engine/cost/roofline/roofline.h"
#include "engine/report/compile_report.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What is placed under the roofs, from what is known of a schedule.

// Of our model, one for each kernel in their order; `compiled` as for the prediction. Through the
// first-level cache and shared memory it counts passes, each with all the bytes that one can move,
// because a pass is what takes time.
std::vector<Work> worksOf(const Prediction &prediction, const schedule::Schedule &schedule,
                          const machine::Machine &machine,
                          std::span<const report::KernelReport> compiled = {});
// Of a compiled kernel, by the name of its stage: what its threads ask for. What a cache makes of
// that is not in the code, so nothing is known of the levels below. The report has no time:
// `seconds` of all launches, 0: none.
Work workOf(const report::KernelReport &kernel, double seconds);
// Of which stage its blocks are, as predictions name it; of what computes no stage, its own name.
std::string ownerOf(const report::KernelReport &kernel);

Floor floorOf(const pipeline::Pipeline &pipeline, double fromDram);
// The same for schedules that nobody has chosen yet: what has to move is all that they touch.
Floor floorOf(const pipeline::Pipeline &pipeline, const machine::Machine &machine);
// A prediction under these roofs: its kernels, the pipeline and the floor.
Roofline rooflineOf(const Prediction &prediction, const schedule::Schedule &schedule,
                    const machine::Machine &machine, const Ceilings &ceilings);
// Of a bundle alone. How often each value has to be computed is not in it.
Floor floorOf(const report::CompileReport &report, const machine::Machine &machine);

} // namespace tessera::cost
