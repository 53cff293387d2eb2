// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/hull_item.h"

#include <QGraphicsItem>
#include <QPolygonF>

#include <memory>

namespace tessera::views {

struct DagStyle;

// A node while it is dragged: its outline at the pointer, and beside it the effect that a drop
// would have here.
class DragItem : public QGraphicsItem {
public:
  DragItem(const DagNode &node, const QRectF &rect, QPointF takenAt,
           std::shared_ptr<const DagStyle> style);

  void setScale(double scale); // scale of the view
  void setCaption(const QString &title, const QString &effect, DropMark::State state);
  const QString &title() const { return m_title; }
  const QString &effect() const { return m_effect; }

  QRectF boundingRect() const override;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  QPolygonF m_shape; // the pointer is at the origin
  QString m_name, m_title, m_effect;
  double m_scale = 1;
  DropMark::State m_state = DropMark::State::Pending;
  std::shared_ptr<const DagStyle> m_style;
};

} // namespace tessera::views
