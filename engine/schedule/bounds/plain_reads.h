// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::schedule {

// How a stage indexes a func that it reads, directly or through inlined funcs. For each dimension
// of the func: the loop of the stage that is the index, or none where the index is something else.
struct PlainRead {
  pipeline::StageId reader{};
  std::vector<std::optional<std::size_t>> loops;
};

// The reads of all stages but the func's own.
std::vector<PlainRead> plainReads(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule
