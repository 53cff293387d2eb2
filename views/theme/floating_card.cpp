// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/floating_card.h"

#include "views/theme/theme.h"

#include <QPainter>

namespace tessera::views {

namespace {
constexpr int kRound = 9;
} // namespace

void paintFloatingCard(QPainter &painter, const QRectF &card, int shadow, const QPalette &palette) {
  const Colors colors(palette);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (int i = shadow; i > 0; --i) {
    painter.setBrush(QColor(0, 0, 0, colors.dark ? 9 : 4));
    painter.drawRoundedRect(card.adjusted(-i, -i + 3, i, i), kRound + i, kRound + i);
  }
  painter.setPen(mix(colors.canvas, colors.text, 0.25));
  painter.setBrush(colors.canvas);
  painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
}

} // namespace tessera::views
