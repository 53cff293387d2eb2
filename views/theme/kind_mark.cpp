// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/kind_mark.h"

#include "views/theme/node_shape.h"
#include "views/theme/theme.h"

#include <QPainter>

namespace tessera::views {

void paintKindMark(QPainter &painter, const QRectF &rect, StageKind kind, bool isOutput,
                   const QPalette &palette) {
  const Colors colors(palette);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colors.nodeBorder(kind, isOutput), 1.2));
  painter.setBrush(mix(colors.nodeFill(kind, isOutput), colors.nodeBlock(kind, isOutput), 0.35));
  painter.drawPolygon(nodeShape(kind, isOutput, rect.adjusted(1, 1, -1, -1)));
  painter.restore();
}

QPixmap kindMark(StageKind kind, bool isOutput, const QPalette &palette, double devicePixelRatio) {
  const QSize size(26, 16);
  QPixmap pixmap(size * devicePixelRatio);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paintKindMark(painter, QRectF(QPointF(), size), kind, isOutput, palette);
  return pixmap;
}

} // namespace tessera::views
