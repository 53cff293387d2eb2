// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_settings.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

namespace tessera::views {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kState = QStringLiteral("window/state");
// The version of the saved layout. Raise it when docks are added: a layout saved before would hide
// them.
constexpr int kStateVersion = 7;
constexpr int kGrip = 80; // pixels of a title bar that must be reachable
// Room for the frame around the first window. Its real size is known only after the window is
// shown, and a window that grows or shrinks then would flicker.
constexpr QSize kFrame{16, 56};

QList<QRect> screenRects() {
  QList<QRect> rects;
  for (const QScreen *screen : QGuiApplication::screens())
    rects << screen->availableGeometry();
  return rects;
}

} // namespace

QRect rescued(QRect window, const QList<QRect> &screens) {
  if (screens.isEmpty()) return window;
  for (const QRect &screen : screens) {
    const QRect seen = screen & QRect(window.left(), window.top(), window.width(), kGrip);
    if (seen.width() >= kGrip && seen.height() >= kGrip / 2) return window;
  }
  const QRect home = screens.front();
  const QSize size = window.size().boundedTo(home.size());
  const QSize left = home.size() - size;
  return {home.topLeft() + QPoint(left.width() / 2, left.height() / 2), size};
}

QByteArray layoutOf(const QMainWindow &window) { return window.saveState(kStateVersion); }

void rescueAll(QMainWindow &window) {
  if (!window.isMaximized() && !window.isFullScreen())
    if (const QRect good = rescued(window.geometry(), screenRects()); good != window.geometry())
      window.setGeometry(good);
  for (QDockWidget *dock : window.findChildren<QDockWidget *>())
    if (dock->isFloating()) dock->setGeometry(rescued(dock->geometry(), screenRects()));
}

bool restoreLayout(QMainWindow &window, const QByteArray &layout) {
  if (layout.isEmpty() || !window.restoreState(layout, kStateVersion)) return false;
  rescueAll(window);
  return true;
}

void saveWindow(const QMainWindow &window, QSettings &settings) {
  settings.setValue(kGeometry, window.saveGeometry());
  settings.setValue(kState, layoutOf(window));
}

void restorePlace(QMainWindow &window, QSettings &settings) {
  if (!window.restoreGeometry(settings.value(kGeometry).toByteArray())) {
    const QRect screen = screenRects().value(0, {0, 0, 1280, 800});
    window.resize(QSize(1600, 1000).boundedTo(screen.size() - kFrame));
  }
}

bool restoreWindow(QMainWindow &window, QSettings &settings) {
  restorePlace(window, settings);
  const bool restored = restoreLayout(window, settings.value(kState).toByteArray());
  rescueAll(window);
  return restored;
}

} // namespace tessera::views
