// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"
#include "engine/cost/prediction.h"
#include "engine/report/compile_report.h"

#include <span>
#include <vector>

namespace tessera::cost {

// The work that a roofline shows, of a prediction, of compiled kernels or of a pipeline.

// The predicted work of each kernel, in the order of `prediction`. `compiled` is as in predict().
// For first-level cache and shared memory, each pass counts as all the bytes that a pass can move,
// because a pass takes its full time however few bytes are used.
std::vector<Work> worksOf(const Prediction &prediction, const schedule::Schedule &schedule,
                          const machine::Machine &machine,
                          std::span<const report::KernelReport> compiled = {});
// The work of a compiled kernel, named by the stage that owns it: the bytes that its threads
// request. The code does not say what a cache makes of them, so the traffic of the second-level
// cache and of device memory is unknown. The report has no times: `seconds` is the time of all
// launches, or 0 if unknown.
Work workOf(const report::KernelReport &kernel, double seconds);
// The name of the stage that owns the blocks, as in predictions. For a kernel that computes no
// stage, its own name.
std::string ownerOf(const report::KernelReport &kernel);

Floor floorOf(const pipeline::Pipeline &pipeline, double fromDram);
// The floor when no schedule has been chosen yet. The working set, which decides how much comes
// from device memory, is then only what any schedule has to move.
Floor floorOf(const pipeline::Pipeline &pipeline, const machine::Machine &machine);
// The roofline of a prediction: its kernels, the pipeline and the floor.
Roofline rooflineOf(const Prediction &prediction, const schedule::Schedule &schedule,
                    const machine::Machine &machine, const Ceilings &ceilings);
// The floor of a bundle, without its pipeline. It has no operations, because the report does not
// say how often each value has to be computed.
Floor floorOf(const report::CompileReport &report, const machine::Machine &machine);

} // namespace tessera::cost
