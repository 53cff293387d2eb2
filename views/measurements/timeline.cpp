// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/timeline.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {

constexpr double kTickRoom = 18, kBarShare = 0.5, kAir = 8;
constexpr double kLeastWidth = 1.5;

} // namespace

double wholeSeconds(const measure::RunProfile &profile) {
  if (!profile.isTimed) return 0;
  double seconds = profile.gapSeconds.value_or(0) + profile.allocationSeconds.value_or(0);
  for (const auto &kernel : profile.kernels)
    seconds += kernel.seconds;
  return seconds;
}

const TimelineBar *Timeline::at(QPointF place) const {
  const bool isInside = bars.contains(place) || memory.contains(place);
  const TimelineBar *nearest = nullptr;
  constexpr double kReach = 3; // pixels; so that thin bars can be hit
  double best = kReach;
  for (const TimelineBar &part : parts) {
    if (memory.contains(place) && part.kind != TimelineBar::Kind::Kernel) continue;
    const double away =
        std::max({part.place.left() - place.x(), place.x() - part.place.right(), 0.0});
    if (isInside && away < best) {
      best = away;
      nearest = &part;
    }
  }
  return nearest;
}

Timeline timelineFields(const measure::RunProfile &profile, const QRectF &field) {
  Timeline timeline;
  const double height = std::max(field.height() - kTickRoom, 20.0);
  const bool hasMemory = profile.peakBytes > 0;
  timeline.bars = {field.left(), field.top(), field.width(),
                   std::floor(hasMemory ? height * kBarShare : height)};
  if (hasMemory)
    timeline.memory = {field.left(), timeline.bars.bottom() + kTickRoom + kAir, field.width(),
                       std::max(height - timeline.bars.height() - kAir, 8.0)};
  return timeline;
}

Timeline timelineOf(const measure::RunProfile &profile, const QRectF &field) {
  Timeline timeline = timelineFields(profile, field);
  if (profile.kernels.empty()) return timeline;
  const bool hasMemory = profile.peakBytes > 0;
  const double whole = wholeSeconds(profile);
  const double equal = field.width() / double(profile.kernels.size());
  double x = field.left();
  const auto add = [&](TimelineBar::Kind kind, std::size_t kernel, double seconds) {
    const double width = whole > 0 ? std::max(field.width() * seconds / whole, kLeastWidth) : equal;
    timeline.parts.push_back(
        {kind, kernel, seconds, {x, timeline.bars.top(), width, timeline.bars.height()}});
    x += whole > 0 ? field.width() * seconds / whole : equal;
  };
  for (std::size_t k = 0; k < profile.kernels.size(); ++k)
    add(TimelineBar::Kind::Kernel, k, profile.kernels[k].seconds);
  if (whole > 0 && profile.gapSeconds) add(TimelineBar::Kind::Gaps, 0, *profile.gapSeconds);
  if (whole > 0 && profile.allocationSeconds)
    add(TimelineBar::Kind::Allocating, 0, *profile.allocationSeconds);
  if (!hasMemory) return timeline;
  for (const TimelineBar &part : timeline.parts) {
    if (part.kind != TimelineBar::Kind::Kernel) continue;
    const double share =
        double(profile.kernels[part.kernel].aliveBytes) / double(profile.peakBytes);
    const double y = timeline.memory.bottom() - timeline.memory.height() * share;
    timeline.alive.push_back({part.place.left(), y});
    timeline.alive.push_back({part.place.right(), y});
  }
  return timeline;
}

} // namespace tessera::views
