// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_scene.h"

#include "views/dag/dag_style.h"
#include "views/dag/edge_item.h"
#include "views/dag/node_item.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

DagScene::DagScene(QObject *parent)
    : QGraphicsScene(parent), m_geometry(std::make_shared<const DagGeometry>()) {}

DagScene::~DagScene() { clear(); } // the items refer to the geometry, so they are deleted before it

void DagScene::setStyle(std::shared_ptr<const DagStyle> style) {
  m_style = std::move(style);
  m_hulls.style = m_style;
  if (m_edges) m_edges->setStyle(m_style);
  if (m_highlight) m_highlight->setStyle(m_style);
  for (NodeItem *node : m_nodes)
    node->setStyle(m_style);
  emit allChanged();
}

void DagScene::clearContent() {
  emit contentGoing();
  m_nodes.clear();
  m_edges = nullptr;
  m_highlight = nullptr;
  clear();
  m_graph.reset();
  m_geometry = std::make_shared<const DagGeometry>();
  m_hulls.hulls.reset();
  m_hulls.drops.reset();
  m_matches.clear();
}

void DagScene::setContent(std::shared_ptr<const DagGraph> graph,
                          std::shared_ptr<const DagGeometry> geometry) {
  clearContent();
  m_graph = std::move(graph);
  m_geometry = std::move(geometry);
  // Thousands of items are added before their index is built: updating the index for each is slow.
  setItemIndexMethod(NoIndex);
  const QRectF &bounds = m_geometry->bounds;
  addItem(new HullItem(m_hulls, bounds));
  addItem(new HullLabelItem(m_hulls, bounds));
  m_edges = new EdgeItem(*m_graph, *m_geometry, m_style);
  addItem(m_edges);
  m_highlight = new HighlightItem(*m_graph, *m_geometry, m_style);
  addItem(m_highlight);
  for (std::size_t i = 0; i < m_graph->nodes.size(); ++i) {
    m_nodes.push_back(
        new NodeItem(m_graph->nodes[i], m_geometry->nodes[i], m_style, m_texts, m_shown));
    addItem(m_nodes.back());
  }
  setItemIndexMethod(BspTreeIndex);
  // Empty room around the DAG, so that the user can push it aside.
  const double room = 1500 + std::max(bounds.width(), bounds.height());
  setSceneRect(bounds.adjusted(-room, -room, room, room));
  updateMarks();
  updatePlaces();
}

void DagScene::showPlaces(std::vector<NodePlace> places, ShownSchedulePtr schedule) {
  m_places = std::move(places);
  m_shown = std::move(schedule);
  updatePlaces();
}

// Requests one repaint of the whole scene: a region of a thousand node rectangles would cost more
// than repainting the space between the nodes.
void DagScene::updatePlaces() {
  if (!m_graph) return;
  double most = 0;
  for (const NodePlace &place : m_places)
    most = std::max(most, place.part);
  const bool isHeat = m_colouring == Colouring::Cost && most > 0;
  bool changed = false;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const NodePlace place = i < m_places.size() ? m_places[i] : NodePlace();
    // The square root spreads the colours: on a linear scale, all but the few most expensive nodes
    // would look the same.
    const auto heat = isHeat ? std::optional(std::sqrt(place.part / most)) : std::nullopt;
    changed |= m_nodes[i]->setPlace(place, heat);
  }
  std::vector<bool> inside;
  if (m_places.size() == m_graph->nodes.size())
    for (const DagEdge &edge : m_graph->edges) {
      const auto &from = m_places[edge.from].kernels, &to = m_places[edge.to].kernels;
      inside.push_back(!from.empty() && from == to);
    }
  changed |= m_edges->setInside(std::move(inside));
  updateActiveHull();
  if (changed) emit allChanged();
}

QColor DagScene::blockColor(std::uint32_t node) const { return m_nodes[node]->blockColor(); }

void DagScene::setColouring(Colouring colouring) {
  m_colouring = colouring;
  updatePlaces();
}

void DagScene::showHulls(KernelHullsPtr hulls) {
  m_hulls.hulls = std::move(hulls);
  emit allChanged();
}

void DagScene::showDrops(std::optional<DropMarks> drops, std::optional<int> under) {
  if (drops == m_hulls.drops && under == m_hulls.under) return;
  m_hulls.drops = std::move(drops);
  m_hulls.under = under;
  update();
}

void DagScene::updateActiveHull() {
  const auto node = m_active && m_graph ? m_graph->nodeOf(*m_active) : std::nullopt;
  std::optional<int> kernel;
  if (node && *node < m_places.size()) {
    const NodePlace &place = m_places[*node];
    const bool isOfMany = place.isInlined && place.kernels.size() > 1;
    if (place.kernel() > 0 && !isOfMany) kernel = place.kernel();
  }
  if (kernel == m_hulls.active) return;
  m_hulls.active = kernel;
  emit allChanged();
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

void DagScene::setExposed(std::vector<QRectF> rects, const QRectF &inView) {
  m_hulls.exposed = rects;
  if (m_edges) m_edges->setExposed(std::move(rects), inView);
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
  updateActiveHull();
  m_highlight->setEdges(std::move(into), std::move(from));
  for (std::size_t i = 0; i < m_nodes.size(); ++i)
    m_nodes[i]->setMarks(marks[i]);
}

} // namespace tessera::views
