// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/edge_index.h"

#include <QGraphicsItem>

#include <memory>
#include <utility>
#include <vector>

namespace tessera::views {

struct DagStyle;

// Bytes on edges: how much a consumer reads of its producer.
class EdgeLabels {
public:
  EdgeLabels(const DagGraph &graph, const DagGeometry &geometry);
  void paint(QPainter &painter, const DagStyle &style, std::uint32_t edge) const;

private:
  const DagGeometry &m_geometry;
  std::vector<QString> m_texts; // by edge
};

// By edge, in scene units: the one that carries most is the widest.
std::vector<float> edgeWidths(const DagGraph &graph);

// All edges in one item: drawn in batches, and only those that cross what is exposed.
class EdgeItem : public QGraphicsItem {
public:
  EdgeItem(const DagGraph &graph, const DagGeometry &geometry,
           std::shared_ptr<const DagStyle> style);

  void setStyle(std::shared_ptr<const DagStyle> style);
  // By edge: whether it stays inside a kernel, and on the chip. Empty: there is no schedule.
  // True: some edges are drawn in another way from now on, and whoever shows them repaints.
  bool setInside(std::vector<bool> inside);

  // What the next paint() has to fill: Qt passes one rectangle around all, which for a diagonal
  // step of a pan (two thin strips) is the whole view. Empty: that rectangle. What all of the view
  // shows decides how edges are drawn; empty: what is exposed.
  void setExposed(std::vector<QRectF> rects, const QRectF &inView) {
    m_exposed = std::move(rects);
    m_inView = inView;
  }

  QRectF boundingRect() const override;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  void paintSmooth(QPainter &painter, const std::vector<std::uint32_t> &edges,
                   const std::vector<QRectF> &exposed) const;
  bool isInside(std::uint32_t edge) const { return edge < m_inside.size() && m_inside[edge]; }

  const DagGeometry &m_geometry;
  EdgeLabels m_labels;
  std::vector<float> m_widths; // by edge
  std::vector<bool> m_inside;
  EdgeIndex m_index;
  std::vector<QRectF> m_exposed;
  QRectF m_inView;
  std::shared_ptr<const DagStyle> m_style;
};

// The edges of what is hovered or active, above the others: from producers solid, to consumers
// dashed.
class HighlightItem : public QGraphicsItem {
public:
  HighlightItem(const DagGraph &graph, const DagGeometry &geometry,
                std::shared_ptr<const DagStyle> style);

  void setStyle(std::shared_ptr<const DagStyle> style);
  void setEdges(std::vector<std::uint32_t> fromProducers, std::vector<std::uint32_t> toConsumers);

  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  void paintEdges(QPainter &painter, const std::vector<std::uint32_t> &edges,
                  const QPen &pen) const;

  const DagGeometry &m_geometry;
  EdgeLabels m_labels;
  std::shared_ptr<const DagStyle> m_style;
  std::vector<std::uint32_t> m_fromProducers, m_toConsumers;
  QRectF m_bounds;
};

} // namespace tessera::views
