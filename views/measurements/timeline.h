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

// Where each part of a run is drawn, before anything is: kernels one after the other, then what is
// between them and what allocating adds, and below the memory that each kernel needs.
struct TimelineBar {
  enum class Kind : std::uint8_t { Kernel, Gaps, Allocating };
  Kind kind = Kind::Kernel;
  std::size_t kernel = 0; // of the profile
  double seconds = 0;
  QRectF place;
};

struct Timeline {
  QRectF bars, memory; // fields
  std::vector<TimelineBar> parts;
  std::vector<QPointF> alive; // corners of the memory's steps, left to right; empty: there is none

  // The part under a place, the memory below a kernel being the kernel's.
  const TimelineBar *at(QPointF place) const;
};

// All of them after one another; 0: they were not timed.
double wholeSeconds(const measure::RunProfile &profile);
// The fields alone: where bars and memory have their places.
Timeline timelineFields(const measure::RunProfile &profile, const QRectF &field);
// A kernel that was not timed has a bar of the least width; without times all are equally wide.
Timeline timelineOf(const measure::RunProfile &profile, const QRectF &field);

} // namespace tessera::views
