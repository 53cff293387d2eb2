// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRect>

class QMainWindow;
class QSettings;

namespace tessera::views {

// Moves a window to the first screen if no screen shows enough of its title bar, for example after
// a screen was unplugged. A moved window is shrunk to fit that screen. Others stay as they are.
QRect rescued(QRect window, const QList<QRect> &screens);

// Moves the window and its floating docks back onto the present screens.
void rescueAll(QMainWindow &window);

// The layout of the docks. restoreLayout() ignores the layout of another version and returns false.
QByteArray layoutOf(const QMainWindow &window);
bool restoreLayout(QMainWindow &window, const QByteArray &layout);

void saveWindow(const QMainWindow &window, QSettings &settings);
// Restores place and size of the window, as far as the screen allows.
void restorePlace(QMainWindow &window, QSettings &settings);
// Restores the docks as well. Returns whether the docks got their saved places.
bool restoreWindow(QMainWindow &window, QSettings &settings);

} // namespace tessera::views
