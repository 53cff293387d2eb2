// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/roofline/roofline.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::chart {

// Whether two schedules compute the same stages in a kernel of the same name, so that their times
// can be compared.
bool isSameKernel(const cost::Work &a, const cost::Work &b);

// A kernel of another schedule that a drawing of ours has a mark for.
struct ComparedKernel {
  std::size_t kernel = 0;          // its place among the other's
  std::optional<std::size_t> ours; // the same, by what the same is known of; none: there is none
};

struct ComparedKernels {
  std::vector<ComparedKernel> kernels; // one for each origin of one that is drawn
  std::size_t drawn = 0, all = 0;      // without regard to origins
};

// At most so many: those that are the same as one of `listed`, names of ours, then the longest.
ComparedKernels comparedKernels(const cost::Roofline &other, const cost::Roofline &ours,
                                const std::vector<std::string> &listed, std::size_t most);

// How the outlines of a compared schedule are broken, by series from 1, so that no colour has to
// say whose a mark is: line, gap and so on, in pixels. Empty: ours, not at all.
std::vector<double> dashesOf(std::size_t series);

} // namespace tessera::chart
