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

// Labels of edges: the bytes that a consumer reads of its producer.
class EdgeLabels {
public:
  EdgeLabels(const DagGraph &graph, const DagGeometry &geometry);
  void paint(QPainter &painter, const DagStyle &style, std::uint32_t edge) const;

private:
  const DagGeometry &m_geometry;
  std::vector<QString> m_texts; // indexed by edge
};

// Line widths in scene units, indexed by edge. The edge with the largest number of bytes is the
// widest.
std::vector<float> edgeWidths(const DagGraph &graph);

// All edges in one item. They are drawn in batches, and only those that cross the exposed area.
class EdgeItem : public QGraphicsItem {
public:
  EdgeItem(const DagGraph &graph, const DagGeometry &geometry,
           std::shared_ptr<const DagStyle> style);

  void setStyle(std::shared_ptr<const DagStyle> style);
  // `inside` is indexed by edge. True: the same kernels compute the producer and the consumer, so
  // the data stays inside a kernel. Empty: there is no schedule. Returns true if some edges look
  // different now, so that the caller has to repaint.
  bool setInside(std::vector<bool> inside);

  // Sets the areas that the next paint() has to fill. Qt itself passes one rectangle around all of
  // them, which for a diagonal pan (two thin strips) is the whole view. If `rects` is empty,
  // paint() uses Qt's rectangle. `inView` is what the whole view shows: the number of edges in it
  // decides whether lines are smoothed. If it is empty, the number of exposed edges decides.
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
  std::vector<float> m_widths; // indexed by edge
  std::vector<bool> m_inside;
  EdgeIndex m_index;
  std::vector<QRectF> m_exposed;
  QRectF m_inView;
  std::shared_ptr<const DagStyle> m_style;
};

// The edges of the hovered or active node, above all other edges: solid from its producers, dashed
// to its consumers.
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
