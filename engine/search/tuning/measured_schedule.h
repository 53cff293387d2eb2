// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::search {

struct MeasuredKernel {
  pipeline::FuncId output{}; // whose blocks it has
  double seconds = 0;        // of a run
};

// What a schedule that is right took on a GPU, and its kernels, where these are known.
struct MeasuredSchedule {
  schedule::Schedule schedule;
  std::vector<MeasuredKernel> kernels;
  double seconds = 0;
};

} // namespace tessera::search
