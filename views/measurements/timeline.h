// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/run_profile.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::views {

// The places of the parts of a run as numbers, without drawing: the kernels in order, then the gaps
// between them and the time for allocating, and below them the memory that each kernel needs.
struct TimelineBar {
  enum class Kind : std::uint8_t { Kernel, Gaps, Allocating };
  Kind kind = Kind::Kernel;
  std::size_t kernel = 0; // index into the profile's kernels
  double seconds = 0;
  QRectF place;
};

struct Timeline {
  QRectF bars, memory; // the areas of the bars and of the memory curve
  std::vector<TimelineBar> parts;
  std::vector<QPointF> alive; // corners of the memory curve, left to right; empty: not known

  // The part at `place`. The memory below a kernel belongs to the kernel.
  const TimelineBar *at(QPointF place) const;
};

// The sum of all parts; 0: the kernels were not timed.
double wholeSeconds(const measure::RunProfile &profile);
// Only the areas of the bars and of the memory curve, without parts.
Timeline timelineFields(const measure::RunProfile &profile, const QRectF &field);
// A kernel without a time gets a bar of the least width. If no kernel has one, all bars are equally
// wide.
Timeline timelineOf(const measure::RunProfile &profile, const QRectF &field);

} // namespace tessera::views
