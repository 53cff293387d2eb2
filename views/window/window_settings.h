// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRect>

class QMainWindow;
class QSettings;

namespace tessera::views {

// A window that would lie outside of every screen (one was unplugged) is moved onto the first;
// one that is larger than its screen shrinks.
QRect rescued(QRect window, const QList<QRect> &screens);

// The window, and docks that float, back onto the screens that there are now.
void rescueAll(QMainWindow &window);

// Where the docks are. What another version wrote is passed over: false.
QByteArray layoutOf(const QMainWindow &window);
bool restoreLayout(QMainWindow &window, const QByteArray &layout);

void saveWindow(const QMainWindow &window, QSettings &settings);
// Where it was and how large, or as large as the screen allows.
void restorePlace(QMainWindow &window, QSettings &settings);
// That, and whether docks have the places that were saved.
bool restoreWindow(QMainWindow &window, QSettings &settings);

} // namespace tessera::views
