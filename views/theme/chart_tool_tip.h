// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QEvent;
class QPoint;
class QWidget;

namespace tessera::views {

// Shows the tooltip of a chart with the text that `textAt` returns for the pointer's place. An
// empty text hides it. Returns false if the event is not about a tooltip.
bool showToolTip(QWidget &chart, QEvent &event, const std::function<QString(QPoint)> &textAt);

} // namespace tessera::views
