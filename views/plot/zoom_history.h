// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/roofline_chart.h"

#include <optional>
#include <vector>

namespace tessera::views {

// The history of a chart's visible windows, with steps back and forward. It is separate from undo,
// because looking at a chart does not edit the document.
class ZoomHistory {
public:
  using View = std::optional<chart::ChartWindow>; // none: everything is visible

  const View &now() const { return m_views[m_at]; }
  bool canGoBack() const { return m_at > 0; }
  bool canGoForward() const { return m_at + 1 < m_views.size(); }

  // Part: one of several changes in a row, such as the steps of a wheel; they form one step of the
  // history.
  enum class Gesture { Whole, Part };
  void show(const View &view, Gesture gesture);
  void amend(const View &view); // changes the current step while a drag goes on
  void back();
  void forward();
  void clear() { *this = ZoomHistory(); }

private:
  std::vector<View> m_views{std::nullopt};
  std::size_t m_at = 0;
  Gesture m_last = Gesture::Whole;
};

} // namespace tessera::views
