// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/node_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::views {

namespace {

QPolygonF roundBox(const QRectF &rect, double radius, int pieces) {
  QPolygonF polygon;
  const QPointF centres[] = {{rect.right() - radius, rect.top() + radius},
                             {rect.right() - radius, rect.bottom() - radius},
                             {rect.left() + radius, rect.bottom() - radius},
                             {rect.left() + radius, rect.top() + radius}};
  for (int corner = 0; corner < 4; ++corner)
    for (int i = 0; i <= pieces; ++i) {
      const double angle =
          (corner - 1 + double(i) / pieces) * std::numbers::pi / 2; // clockwise from the top
      polygon << centres[corner] + QPointF(std::cos(angle), std::sin(angle)) * radius;
    }
  return polygon;
}

QPolygonF cutBox(const QRectF &r, double cut) {
  return QPolygonF({{r.left() + cut, r.top()},
                    {r.right() - cut, r.top()},
                    {r.right(), r.top() + cut},
                    {r.right(), r.bottom() - cut},
                    {r.right() - cut, r.bottom()},
                    {r.left() + cut, r.bottom()},
                    {r.left(), r.bottom() - cut},
                    {r.left(), r.top() + cut}});
}

QPolygonF pointedBox(const QRectF &r, double point) {
  return QPolygonF({{r.left() + point, r.top()},
                    {r.right() - point, r.top()},
                    {r.right(), r.center().y()},
                    {r.right() - point, r.bottom()},
                    {r.left() + point, r.bottom()},
                    {r.left(), r.center().y()}});
}

QPolygonF notchedBox(const QRectF &r, double notch) {
  const double middle = r.center().y();
  return QPolygonF({{r.left(), r.top()},
                    {r.right(), r.top()},
                    {r.right(), middle - notch},
                    {r.right() - notch, middle},
                    {r.right(), middle + notch},
                    {r.right(), r.bottom()},
                    {r.left(), r.bottom()},
                    {r.left(), middle + notch},
                    {r.left() + notch, middle},
                    {r.left(), middle - notch}});
}

} // namespace

QPolygonF nodeShape(StageKind kind, bool isOutput, const QRectF &rect) {
  const double side = std::min(rect.width(), rect.height());
  if (kind == StageKind::Extern) return notchedBox(rect, side * 0.22);
  if (isOutput) return pointedBox(rect, side * 0.27);
  switch (kind) {
  case StageKind::Input:
  case StageKind::Scalar:
    return roundBox(rect, side / 2, 8);
  case StageKind::Reduction:
    return cutBox(rect, side * 0.22);
  case StageKind::Update:
  case StageKind::Pure:
  case StageKind::Extern:
    break;
  }
  return roundBox(rect, side * 0.14, 3);
}

} // namespace tessera::views
