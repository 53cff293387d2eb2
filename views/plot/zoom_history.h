// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/roofline_chart.h"

#include <optional>
#include <vector>

namespace tessera::views {

// What of a chart was seen, step by step, with a way back and forth: its own, because what one
// looks at is no edit of the document.
class ZoomHistory {
public:
  using View = std::optional<chart::ChartWindow>; // none: all

  const View &now() const { return m_views[m_at]; }
  bool canGoBack() const { return m_at > 0; }
  bool canGoForward() const { return m_at + 1 < m_views.size(); }

  // Parts that follow each other, as of a wheel that turns, are one step of the history.
  enum class Gesture { Whole, Part };
  void show(const View &view, Gesture gesture);
  void amend(const View &view); // the step that is shown, as a drag goes on
  void back();
  void forward();
  void clear() { *this = ZoomHistory(); }

private:
  std::vector<View> m_views{std::nullopt};
  std::size_t m_at = 0;
  Gesture m_last = Gesture::Whole;
};

} // namespace tessera::views
