// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::search {

struct MeasuredKernel {
  pipeline::FuncId output{}; // the func that owns the blocks
  double seconds = 0;        // seconds per run
};

// The measured time on a GPU of a schedule with correct results, and of its kernels if known.
struct MeasuredSchedule {
  schedule::Schedule schedule;
  std::vector<MeasuredKernel> kernels;
  double seconds = 0;
};

} // namespace tessera::search
