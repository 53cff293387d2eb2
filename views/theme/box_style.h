// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace tessera::views {

// Qt's Fusion with the outlines of check boxes and radio buttons readable on dark, too. Fusion
// draws them darker than the window, which is dark already.
class BoxStyle : public QProxyStyle {
  Q_OBJECT
public:
  BoxStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget = nullptr) const override;
};

} // namespace tessera::views
