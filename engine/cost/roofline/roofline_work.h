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
// The first-level cache moves whole sectors, as hardware counters count them. Each pass of shared
// memory counts as all the bytes that it can move, however few are used.
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

// The roofline of a prediction: its kernels, the pipeline and the floor.
Roofline rooflineOf(const Prediction &prediction, const schedule::Schedule &schedule,
                    const machine::Machine &machine, const Ceilings &ceilings);

} // namespace tessera::cost
