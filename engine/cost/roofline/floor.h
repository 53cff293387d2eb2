// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"
#include "engine/machine/machine.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/compile_report.h"

namespace tessera::cost {

// The least work of any schedule, so that nothing measured is faster: what is needed at all is
// read, computed and written once, nothing is kept from the run before that could have been
// dropped, and each operation counts as the least that a compiler makes of it. The pipeline has to
// be the one that was opened, without the stages that a schedule derives.
Floor floorOf(const pipeline::Pipeline &pipeline, const machine::Machine &machine);
// The floor of a bundle, without its pipeline. It has no operations, because the report does not
// say how often each value has to be computed.
Floor floorOf(const report::CompileReport &report, const machine::Machine &machine);

} // namespace tessera::cost
