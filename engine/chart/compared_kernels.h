// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::chart {

// Whether both kernels have the same name and compute the same stages, so that their times can be
// compared. If the stages of one are unknown, the name decides.
bool isSameKernel(const cost::Work &a, const cost::Work &b);

// A kernel of a compared schedule that has a mark in the chart.
struct ComparedKernel {
  std::size_t kernel = 0; // index among the compared schedule's kernels
  // Index of the same kernel, from the same origin, in the drawn schedule; empty: there is none.
  std::optional<std::size_t> ours;
};

struct ComparedKernels {
  std::vector<ComparedKernel> kernels; // those with marks, once per origin
  std::size_t drawn = 0, all = 0;      // numbers of kernels, each counted once for all origins
};

// Chooses at most `most` kernels of the schedule `other`: first those that are the same as a kernel
// of the drawn schedule `ours` whose name is in `listed`, then those with the longest times.
ComparedKernels comparedKernels(const cost::Roofline &other, const cost::Roofline &ours,
                                const std::vector<std::string> &listed, std::size_t most);

// The dash pattern for outlines of a compared schedule, as lengths of line, gap and so on in
// pixels. So schedules can be told apart without colour. Empty for series 0, the drawn schedule,
// which has solid lines.
std::vector<double> dashesOf(std::size_t series);

} // namespace tessera::chart
