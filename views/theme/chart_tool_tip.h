// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QEvent;
class QPoint;
class QWidget;

namespace tessera::views {

// The tooltip of a chart says what is under the pointer, which only the chart knows; an empty text
// hides it. False: the event is another one.
bool showToolTip(QWidget &chart, QEvent &event, const std::function<QString(QPoint)> &textAt);

} // namespace tessera::views
