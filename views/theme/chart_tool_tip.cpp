// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/chart_tool_tip.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace tessera::views {

bool showToolTip(QWidget &chart, QEvent &event, const std::function<QString(QPoint)> &textAt) {
  if (event.type() != QEvent::ToolTip) return false;
  const auto &help = static_cast<const QHelpEvent &>(event);
  QToolTip::showText(help.globalPos(), textAt(help.pos()), &chart);
  return true;
}

} // namespace tessera::views
