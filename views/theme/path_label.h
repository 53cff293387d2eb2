// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPainter>

namespace tessera::views {

// A path in one line: where it is wider than the label, its middle is left out, since the program
// at its end is what one looks for. All of it is in the tooltip.
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
