// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace tessera::search {

// The region of one producer.
struct ProducerBox {
  pipeline::Producer producer;
  pipeline::Box box;
};

// The regions of all that a stage reads when its loops, its reductions too, run over `loops`.
// Inlined funcs are looked through; `inlined` is sorted. What the stage reads of its own func is
// there too, as the region that it writes and reads. Each producer comes once.
std::vector<ProducerBox> stageBoxes(const pipeline::Pipeline &pipeline, pipeline::StageId stage,
                                    std::span<const pipeline::Interval> loops,
                                    std::span<const pipeline::FuncId> inlined);

} // namespace tessera::search
