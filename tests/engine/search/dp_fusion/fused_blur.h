// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/dp_fusion/dp_cost.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

namespace tessera::search::testing {

// The blur of figure 3 of Jangda and Guha 2020, 4096 × 4096 × 3 floats, which needs two more points
// along x of its first stage. The image is a func, so that it has four bytes an element.
inline constexpr pipeline::FuncId kImage{0}, kBlurX{1}, kBlurY{2};
schedule::Schedule fusedBlur();
inline const DpGroup kFused{kBlurY, {kBlurX, kBlurY}}; // both stages of the blur

// Each func a kernel of its own, with 12 registers a stage: "the code so far only uses 24
// registers" (section 3).
StageInputs blurInputs(const schedule::Schedule &blur);

// Table 1.
machine::Machine gtx1080Ti();
machine::Machine teslaV100();

} // namespace tessera::search::testing
