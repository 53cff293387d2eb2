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

void saveWindow(const QMainWindow &window, QSettings &settings);
// Whether docks have the places that were saved.
bool restoreWindow(QMainWindow &window, QSettings &settings);

} // namespace tessera::views
