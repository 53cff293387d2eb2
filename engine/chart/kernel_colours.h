// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

#include <span>
#include <string>
#include <vector>

namespace tessera::chart {

// A kernel with the number of its colour. Kernels of the next schedule are compared with it. Stages
// have names here, because schedules that add stages number them differently.
struct ColouredKernel {
  std::string owner;               // the stage that owns the blocks
  std::vector<std::string> others; // other stages that are computed in the blocks
  int colour = 0;                  // from 1
};

// The same kernels, with colours. A kernel takes the colour of the kernel in `before` with the same
// owner, otherwise that of the kernel with the most stages in common. Other kernels get the
// smallest numbers that no kernel has or had in `before`: if a new kernel took the colour of one
// that is gone, it would look like that one.
std::vector<ColouredKernel> withColours(std::vector<ColouredKernel> kernels,
                                        std::span<const ColouredKernel> before);

// The kernels of a schedule with their colours, in the order of their launches.
std::vector<ColouredKernel> colouredKernels(const pipeline::Pipeline &pipeline,
                                            const cost::Prediction &prediction,
                                            std::span<const ColouredKernel> before);

} // namespace tessera::chart
