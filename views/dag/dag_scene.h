// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/node_place.h"
#include "views/models/selection.h"

#include <QGraphicsScene>

#include <memory>
#include <set>
#include <vector>

namespace tessera::views {

struct DagStyle;
class EdgeItem;
class HighlightItem;
class NodeItem;

// The items of one DAG in one layout, and what is marked on them.
class DagScene : public QGraphicsScene {
  Q_OBJECT
public:
  explicit DagScene(QObject *parent = nullptr);
  ~DagScene() override;

  void setStyle(std::shared_ptr<const DagStyle> style);
  void setContent(std::shared_ptr<const DagGraph> graph, DagGeometry geometry);
  void clearContent();

  const std::shared_ptr<const DagGraph> &graph() const { return m_graph; }
  const DagGeometry &geometry() const { return m_geometry; }

  void showSelection(const Selection &selection);
  // By node; empty: there is no schedule. Stays for the next layout of the same graph.
  void showPlaces(std::vector<NodePlace> places);
  const std::vector<NodePlace> &places() const { return m_places; }
  void showMatches(std::set<std::uint32_t> nodes);

  // Around each paint of a view: what of the scene it exposes.
  void setExposed(std::vector<QRectF> rects);

private:
  void updateMarks();
  void updatePlaces();

  std::shared_ptr<const DagStyle> m_style;
  std::shared_ptr<const DagGraph> m_graph;
  DagGeometry m_geometry;
  EdgeItem *m_edges = nullptr;
  HighlightItem *m_highlight = nullptr;
  std::vector<NodeItem *> m_nodes;
  std::vector<Subject> m_selected;
  std::optional<Subject> m_active, m_hovered;
  std::set<std::uint32_t> m_matches;
  std::vector<NodePlace> m_places;
};

} // namespace tessera::views
