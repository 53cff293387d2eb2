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

// States that change how a node is drawn.
struct NodeMarks {
  bool selected = false;
  bool active = false;
  bool hovered = false;
  // A producer of the hovered node or, if none is hovered, of the active node.
  bool producer = false;
  bool consumer = false;
  bool match = false; // found by the find bar
  int activeChip = -1;

  friend bool operator==(const NodeMarks &, const NodeMarks &) = default;
};

// Draws one func or input. It handles no mouse events: DagView looks up in the geometry which node
// is where.
class NodeItem : public QGraphicsItem {
public:
  // `texts` and `shown` are references to members of the scene. So the item always sees the current
  // schedule.
  NodeItem(const DagNode &node, const QRectF &rect, std::shared_ptr<const DagStyle> style,
           NodeTexts &texts, const ShownSchedulePtr &shown);

  void setMarks(const NodeMarks &marks);
  // `heat`, from 0 to 1, colours the node by its cost; without it, the kernels colour the node.
  // Returns true if the look changed, so that the caller has to repaint.
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
  void paintTitle(QPainter &painter, double top) const;
  void paintFarName(QPainter &painter, double scale);
  void paintBadge(QPainter &painter, double enlarged = 1);
  void paintDot(QPainter &painter) const;
  void paintFrozen(QPainter &painter, double enlarged = 1) const;

  DagNode m_node;
  QRectF m_rect;
  QPolygonF m_shape;
  QColor m_fill, m_hoverFill, m_block, m_border, m_chipFill, m_text, m_detailText, m_badgeFill,
      m_badgeText;
  std::shared_ptr<const DagStyle> m_style;
  NodeMarks m_marks;
  NodePlace m_place;
  std::optional<double> m_heat;
  struct Band { // the part of a node that has the colour of one of its several kernels
    QPolygonF shape;
    QColor fill, block;
  };
  std::vector<Band> m_bands;
  NodeTexts &m_texts;
  const ShownSchedulePtr &m_shown;
  ShownSchedulePtr
      m_factsOf; // the schedule that m_facts describes; facts are only put into words at high zoom
  QString m_facts;
  TextRun m_title, m_detail;
  std::optional<std::vector<TextRun>> m_farName; // its lines; shaped when first painted
  QString m_badgeWords;
  TextRun m_badge; // shaped when first painted, because a search changes all badges
};

} // namespace tessera::views
