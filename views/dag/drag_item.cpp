// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/drag_item.h"

#include "views/dag/dag_style.h"
#include "views/theme/node_shape.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tessera::views {

namespace {

constexpr QPointF kBeside(16, 18); // offset of the caption from the pointer, in screen pixels
constexpr double kCaptionPadding = 8;
constexpr double kWidest = 380;

} // namespace

DragItem::DragItem(const DagNode &node, const QRectF &rect, QPointF takenAt,
                   std::shared_ptr<const DagStyle> style)
    : m_shape(nodeShape(node.kind, node.isOutput, rect).translated(-takenAt)), m_name(node.title),
      m_style(std::move(style)) {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(5);
}

void DragItem::setScale(double scale) {
  prepareGeometryChange();
  m_scale = scale;
}

void DragItem::setCaption(const QString &title, const QString &effect, DropMark::State state) {
  m_title = title;
  m_effect = effect;
  m_state = state;
  update();
}

// The caption has a fixed size on the screen, so it covers more of the scene the further the view
// is zoomed out.
QRectF DragItem::boundingRect() const {
  const QRectF caption(-10, -10, kBeside.x() + kWidest + 20, kBeside.y() + 80);
  return m_shape.boundingRect().adjusted(-3, -3, 3, 3) |
         QRectF(caption.topLeft() / m_scale, caption.size() / m_scale);
}

void DragItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) {
  const Colors &colors = m_style->colors;
  const QColor tone = m_state == DropMark::State::Legal     ? colors.success
                      : m_state == DropMark::State::Refused ? colors.error
                                                            : colors.faintText;
  painter->setRenderHint(QPainter::Antialiasing, true);
  QColor fill = mix(colors.canvas, colors.accent, 0.2);
  fill.setAlphaF(0.9F); // nearly opaque, so that the name is readable over other nodes
  painter->setPen(QPen(colors.accent, 1.6));
  painter->setBrush(fill);
  painter->drawPolygon(m_shape);
  painter->setFont(m_style->title);
  painter->setPen(colors.text);
  painter->drawText(m_shape.boundingRect(), Qt::AlignCenter, m_name);

  const double scale = painter->worldTransform().m11();
  painter->scale(1 / scale, 1 / scale);
  const QFontMetricsF titleFont(m_style->title), effectFont(m_style->detail);
  const double room = kWidest - 2 * kCaptionPadding;
  QRectF title(QPointF(),
               titleFont.boundingRect(QRectF(0, 0, room, 200), Qt::TextWordWrap, m_title).size());
  QRectF effect(
      QPointF(),
      effectFont.boundingRect(QRectF(0, 0, room, 200), Qt::TextWordWrap, m_effect).size());
  title.moveTopLeft(kBeside + QPointF(kCaptionPadding, kCaptionPadding * 0.7));
  effect.moveTopLeft(title.bottomLeft());
  const QRectF box(kBeside,
                   QSizeF(std::max(title.width(), effect.width()) + 2 * kCaptionPadding + 1,
                          title.height() + effect.height() + 1.4 * kCaptionPadding));
  painter->setPen(QPen(tone, 1.4));
  painter->setBrush(mix(colors.canvas, tone, 0.1));
  painter->drawRoundedRect(box, 6, 6);
  painter->setPen(colors.text);
  painter->drawText(title.adjusted(0, 0, 2, 0), Qt::TextWordWrap, m_title);
  painter->setFont(m_style->detail);
  painter->setPen(tone);
  painter->drawText(effect.adjusted(0, 0, 2, 0), Qt::TextWordWrap, m_effect);
}

} // namespace tessera::views
