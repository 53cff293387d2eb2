// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/edge_index.h"

#include <QGraphicsItem>

#include <memory>
#include <vector>

namespace tessera::views {

struct DagStyle;

// All edges in one item: drawn in batches, and only those that cross what is exposed.
class EdgeItem : public QGraphicsItem {
public:
  EdgeItem(const DagGeometry &geometry, std::shared_ptr<const DagStyle> style);

  void setStyle(std::shared_ptr<const DagStyle> style);

  QRectF boundingRect() const override;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  const DagGeometry &m_geometry;
  EdgeIndex m_index;
  std::shared_ptr<const DagStyle> m_style;
};

// The edges of what is hovered or active, above the others: from producers solid, to consumers
// dashed.
class HighlightItem : public QGraphicsItem {
public:
  HighlightItem(const DagGeometry &geometry, std::shared_ptr<const DagStyle> style);

  void setStyle(std::shared_ptr<const DagStyle> style);
  void setEdges(std::vector<std::uint32_t> fromProducers, std::vector<std::uint32_t> toConsumers);

  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  void paintEdges(QPainter &painter, const std::vector<std::uint32_t> &edges,
                  const QPen &pen) const;

  const DagGeometry &m_geometry;
  std::shared_ptr<const DagStyle> m_style;
  std::vector<std::uint32_t> m_fromProducers, m_toConsumers;
  QRectF m_bounds;
};

} // namespace tessera::views
