// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/node_place.h"
#include "views/dag/text_run.h"

#include <QColor>
#include <QGraphicsItem>
#include <QPolygonF>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

struct DagStyle;

// Why a node looks different from others just now.
struct NodeMarks {
  bool selected = false;
  bool active = false;
  bool hovered = false;
  bool producer = false; // of what is hovered, else of what is active
  bool consumer = false;
  bool match = false; // of the find bar
  int activeChip = -1;

  friend bool operator==(const NodeMarks &, const NodeMarks &) = default;
};

// Draws one func or input. Knows no mouse: DagView asks the geometry what is where.
class NodeItem : public QGraphicsItem {
public:
  // `shown` is of the scene: what it shows just now.
  NodeItem(const DagNode &node, const QRectF &rect, std::shared_ptr<const DagStyle> style,
           const ShownSchedulePtr &shown);

  void setMarks(const NodeMarks &marks);
  // `heat`, 0 … 1, is shown instead of the kernels. True: it changed, and the caller repaints.
  bool setPlace(const NodePlace &place, std::optional<double> heat);
  void setStyle(std::shared_ptr<const DagStyle> style);

  QColor blockColor() const { return m_block; }
  QRectF boundingRect() const override;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  void takeText();
  void takeColors();
  void takeBands();
  void takeBadge();
  QRectF haloRect() const;
  QPen outlinePen(double scale) const;
  void paintBody(QPainter &painter, Detail detail) const;
  void paintChips(QPainter &painter) const;
  void paintNear(QPainter &painter, double body);
  void paintBadge(QPainter &painter);
  void paintDot(QPainter &painter) const;

  DagNode m_node;
  QRectF m_rect;
  QPolygonF m_shape;
  QColor m_fill, m_hoverFill, m_block, m_border, m_chipFill, m_text, m_detailText, m_badgeFill,
      m_badgeText;
  std::shared_ptr<const DagStyle> m_style;
  NodeMarks m_marks;
  NodePlace m_place;
  std::optional<double> m_heat;
  struct Band { // of a node that several kernels compute, from left to right
    QPolygonF shape;
    QColor fill, block;
  };
  std::vector<Band> m_bands;
  const ShownSchedulePtr &m_shown;
  ShownSchedulePtr
      m_factsOf; // that m_facts is of: only what is looked at from near is put in words
  QString m_facts;
  TextRun m_title, m_detail;
  QString m_badgeWords;
  TextRun m_badge; // shaped when it is first seen: a search changes all of them
};

} // namespace tessera::views
