// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot/zoom_history.h"

#include <utility>

namespace tessera::views {

void ZoomHistory::show(const View &view, Gesture gesture) {
  if (view == now()) return;
  m_views.resize(m_at + 1);
  if (std::exchange(m_last, gesture) == Gesture::Part && gesture == Gesture::Part) {
    m_views.back() = view;
    return;
  }
  m_views.push_back(view);
  ++m_at;
}

void ZoomHistory::amend(const View &view) {
  m_views.resize(m_at + 1);
  m_views.back() = view;
}

void ZoomHistory::back() {
  m_at -= canGoBack();
  m_last = Gesture::Whole;
}

void ZoomHistory::forward() {
  m_at += canGoForward();
  m_last = Gesture::Whole;
}

} // namespace tessera::views
