// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPainter>

namespace tessera::views {

// Shows a path in one line. If it is too wide, its middle is left out, because the program's name
// at the end matters most. The tooltip has the whole path.
class PathLabel : public QLabel {
public:
  using QLabel::QLabel;

protected:
  void paintEvent(QPaintEvent *event) override {
    const bool isWider = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    setToolTip(isWider ? text() : QString());
    if (!isWider) return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width()));
  }
};

} // namespace tessera::views
