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

namespace {

constexpr QSize kSize(26, 16);

template <typename Paint>
QPixmap painted(double devicePixelRatio, const Paint &paint) {
  QPixmap pixmap(kSize * devicePixelRatio);
  pixmap.setDevicePixelRatio(devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paint(painter);
  return pixmap;
}

} // namespace

QPixmap kindMark(StageKind kind, bool isOutput, const QPalette &palette, double devicePixelRatio) {
  return painted(devicePixelRatio, [&](QPainter &painter) {
    paintKindMark(painter, QRectF(QPointF(), kSize), kind, isOutput, palette);
  });
}

QPixmap edgeMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < 3; ++i) {
      painter.setPen(QPen(colors.edge, 0.8 + 1.2 * i));
      painter.drawLine(QPointF(2, 3 + 5 * i), QPointF(24, 3 + 5 * i));
    }
  });
}

QPixmap hullMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < 2; ++i) {
      QColor fill = colors.kernelHue(i + 1);
      painter.setPen(QPen(mix(colors.canvas, fill, 0.62), 1.2));
      fill.setAlphaF(colors.dark ? 0.35F : 0.25F);
      painter.setBrush(fill);
      painter.drawRoundedRect(QRectF(1 + 12.5 * i, 2, 11, 12), 4, 4);
    }
  });
}

QPixmap heatMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    for (int x = 0; x < 24; ++x)
      painter.fillRect(QRectF(1 + x, 3, 1, 10), colors.heat(x / 23.0));
  });
}

QPixmap addedMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.nodeBorder(StageKind::Pure, false), 1.1));
    painter.drawRoundedRect(QRectF(1, 1.5, 24, 13), 2, 2);
    painter.drawRoundedRect(QRectF(3.5, 4, 19, 8), 1, 1);
  });
}

QPixmap inlinedMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colors.nodeBorder(StageKind::Pure, false), 1.2);
    pen.setDashPattern({2.5, 2});
    painter.setPen(pen);
    painter.setBrush(colors.ghost(colors.nodeFill(StageKind::Pure, false)));
    painter.drawRect(QRectF(1, 2, 24, 12));
  });
}

void paintFrozenMark(QPainter &painter, const QPointF &centre, double radius,
                     const Colors &colors) {
  constexpr int kArms = 6;
  constexpr double kTurn = 360.0 / kArms, kReach = 0.78, kFork = 0.45, kBarb = 0.28;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(centre);
  painter.scale(radius, radius);
  painter.setPen(QPen(colors.line, 0.12));
  painter.setBrush(colors.canvas);
  painter.drawEllipse(QPointF(), 1, 1);
  painter.setPen(QPen(colors.text, 0.16, Qt::SolidLine, Qt::RoundCap));
  for (int arm = 0; arm < kArms; ++arm) {
    painter.drawLine(QPointF(), QPointF(0, -kReach));
    painter.drawLine(QPointF(0, -kFork), QPointF(-kBarb, -kFork - kBarb));
    painter.drawLine(QPointF(0, -kFork), QPointF(kBarb, -kFork - kBarb));
    painter.rotate(kTurn);
  }
  painter.restore();
}

QPixmap frozenMark(const QPalette &palette, double devicePixelRatio) {
  const Colors colors(palette);
  return painted(devicePixelRatio, [&](QPainter &painter) {
    paintFrozenMark(painter, {13, 8}, 7.3, colors);
  });
}

} // namespace tessera::views
