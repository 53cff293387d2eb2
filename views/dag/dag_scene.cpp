// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_scene.h"

#include "views/dag/dag_style.h"
#include "views/dag/edge_item.h"
#include "views/dag/node_item.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

DagScene::DagScene(QObject *parent) : QGraphicsScene(parent) {}

DagScene::~DagScene() { clear(); } // before the geometry that items refer to

void DagScene::setStyle(std::shared_ptr<const DagStyle> style) {
  m_style = std::move(style);
  if (m_edges) m_edges->setStyle(m_style);
  if (m_highlight) m_highlight->setStyle(m_style);
  for (NodeItem *node : m_nodes)
    node->setStyle(m_style);
}

void DagScene::clearContent() {
  m_nodes.clear();
  m_edges = nullptr;
  m_highlight = nullptr;
  clear();
  m_graph.reset();
  m_geometry = {};
  m_matches.clear();
}

void DagScene::setContent(std::shared_ptr<const DagGraph> graph, DagGeometry geometry) {
  clearContent();
  m_graph = std::move(graph);
  m_geometry = std::move(geometry);
  // Items by the thousand go in before the index over them is built.
  setItemIndexMethod(NoIndex);
  m_edges = new EdgeItem(m_geometry, m_style);
  addItem(m_edges);
  m_highlight = new HighlightItem(m_geometry, m_style);
  addItem(m_highlight);
  for (std::size_t i = 0; i < m_graph->nodes.size(); ++i) {
    m_nodes.push_back(new NodeItem(m_graph->nodes[i], m_geometry.nodes[i], m_style));
    addItem(m_nodes.back());
  }
  setItemIndexMethod(BspTreeIndex);
  // Room to push the DAG aside, as on a desk.
  const double room = 1500 + std::max(m_geometry.bounds.width(), m_geometry.bounds.height());
  setSceneRect(m_geometry.bounds.adjusted(-room, -room, room, room));
  updateMarks();
  updatePlaces();
}

void DagScene::showPlaces(std::vector<NodePlace> places) {
  m_places = std::move(places);
  updatePlaces();
}

// One repaint for all: a region of a thousand rectangles costs more than what lies between them.
void DagScene::updatePlaces() {
  bool changed = false;
  for (std::size_t i = 0; i < m_nodes.size(); ++i)
    changed |= m_nodes[i]->setPlace(i < m_places.size() ? m_places[i] : NodePlace());
  if (changed) update();
}

void DagScene::showSelection(const Selection &selection) {
  m_selected = selection.selected();
  m_active = selection.active();
  m_hovered = selection.hovered();
  updateMarks();
}

void DagScene::showMatches(std::set<std::uint32_t> nodes) {
  m_matches = std::move(nodes);
  updateMarks();
}

void DagScene::setExposed(std::vector<QRectF> rects) {
  if (m_edges) m_edges->setExposed(std::move(rects));
}

void DagScene::updateMarks() {
  if (!m_graph) return;
  std::vector<NodeMarks> marks(m_nodes.size());
  for (const Subject subject : m_selected)
    if (const auto node = m_graph->nodeOf(subject)) marks[*node].selected = true;
  for (const std::uint32_t node : m_matches)
    if (node < marks.size()) marks[node].match = true;
  std::optional<std::uint32_t> focus;
  if (m_active) {
    focus = m_graph->nodeOf(*m_active);
    if (focus) {
      marks[*focus].active = true;
      const auto &subjects = m_graph->nodes[*focus].subjects;
      if (subjects.size() > 1)
        marks[*focus].activeChip = int(std::ranges::find(subjects, *m_active) - subjects.begin());
    }
  }
  if (m_hovered) {
    if (const auto node = m_graph->nodeOf(*m_hovered)) {
      marks[*node].hovered = true;
      focus = node;
    }
  }
  std::vector<std::uint32_t> into, from;
  if (focus) {
    into = m_graph->edgesInto[*focus];
    from = m_graph->edgesFrom[*focus];
    for (const std::uint32_t edge : into)
      marks[m_graph->edges[edge].from].producer = true;
    for (const std::uint32_t edge : from)
      marks[m_graph->edges[edge].to].consumer = true;
  }
  m_highlight->setEdges(std::move(into), std::move(from));
  for (std::size_t i = 0; i < m_nodes.size(); ++i)
    m_nodes[i]->setMarks(marks[i]);
}

} // namespace tessera::views
