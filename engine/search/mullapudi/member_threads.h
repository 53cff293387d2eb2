// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstddef>
#include <vector>

namespace tessera::search {

// The loops of a stage of a group's member that become thread loops, that of thread.x first. Each
// point along them has a thread. `threads` says which dimensions of the group's output have
// threads.
//
// A loop runs along the threads of the output's dimension of the same name. What the member has
// instead of a dimension of the output takes its threads: with threads along x and t of the output,
// a member f(x, y) has them along x and y.
std::vector<std::size_t> memberThreadLoops(const pipeline::Pipeline &pipeline,
                                           pipeline::FuncId output,
                                           const std::vector<bool> &threads,
                                           const pipeline::Stage &stage);

} // namespace tessera::search
