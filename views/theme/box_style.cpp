// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/box_style.h"

#include "views/theme/theme.h"

#include <QScopedValueRollback>
#include <QStyleFactory>
#include <QStyleOption>

namespace tessera::views {

namespace {
constexpr int kFusionsDarkening = 140; // of the window's colour, for outlines
}

BoxStyle::BoxStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void BoxStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
                             QPainter *painter, const QWidget *widget) const {
  const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
  if (!isBox || !isDark(option->palette))
    return QProxyStyle::drawPrimitive(element, option, painter, widget);
  // The option may be of any class that has a palette, so it is changed in place for a moment.
  auto &palette = const_cast<QStyleOption *>(option)->palette;
  const QColor outline = mix(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.55);
  QPalette visible = palette;
  visible.setColor(QPalette::Window, outline.lighter(kFusionsDarkening));
  const QScopedValueRollback whileDrawn(palette, visible);
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

} // namespace tessera::views
