// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_geometry.h"
#include "views/dag/hull_item.h"
#include "views/dag/node_place.h"
#include "views/dag/text_run.h"
#include "views/flows/selection.h"

#include <QGraphicsScene>

#include <memory>
#include <set>
#include <vector>

namespace tessera::views {

struct DagStyle;
class EdgeItem;
class HighlightItem;
class NodeItem;

// What the fill colour of a node shows: the kernel that computes it, or its cost.
enum class Colouring : std::uint8_t { Kernel, Cost };

// The items of one DAG in one layout. They also show the selection, the kernels, and the nodes that
// the find bar has found.
class DagScene : public QGraphicsScene {
  Q_OBJECT
public:
  explicit DagScene(QObject *parent = nullptr);
  ~DagScene() override;

  void setStyle(std::shared_ptr<const DagStyle> style);
  void setContent(std::shared_ptr<const DagGraph> graph,
                  std::shared_ptr<const DagGeometry> geometry);
  void clearContent();

  const std::shared_ptr<const DagGraph> &graph() const { return m_graph; }
  const DagGeometry &geometry() const { return *m_geometry; }
  const std::shared_ptr<const DagGeometry> &sharedGeometry() const { return m_geometry; }

  void showSelection(const Selection &selection);
  // `places` is indexed by node; empty: there is no schedule. They stay valid when the same graph
  // gets another layout.
  void showPlaces(std::vector<NodePlace> places, ShownSchedulePtr schedule);
  const std::shared_ptr<const DagStyle> &style() const { return m_style; }
  // The colour of a node at scales where nodes are drawn as small coloured blocks.
  QColor blockColor(std::uint32_t node) const;
  void setColouring(Colouring colouring);
  Colouring colouring() const { return m_colouring; }
  // The hulls belong to the current layout. Null: there are none.
  void showHulls(KernelHullsPtr hulls);
  const KernelHullsPtr &hulls() const { return m_hulls.hulls; }
  // The marks that kernels get while a stage is dragged, indexed by kernel. Without `drops`,
  // nothing is being dragged.
  void showDrops(std::optional<DropMarks> drops, std::optional<int> under);
  const std::vector<NodePlace> &places() const { return m_places; }
  const ShownSchedulePtr &schedule() const { return m_shown; }
  void showMatches(std::set<std::uint32_t> nodes);

  // A view calls this before each paint, with the exposed parts of the scene and the area that the
  // view shows. It calls it again after the paint, with empty `rects`.
  void setExposed(std::vector<QRectF> rects, const QRectF &inView = {});

signals:
  void allChanged(); // the look of the items has changed, but not their places: views repaint
  // The content is about to be deleted, together with items that other classes have added to it.
  void contentGoing();

private:
  void updateMarks();
  void updatePlaces();
  void updateActiveHull();

  std::shared_ptr<const DagStyle> m_style;
  std::shared_ptr<const DagGraph> m_graph;
  std::shared_ptr<const DagGeometry> m_geometry;
  EdgeItem *m_edges = nullptr;
  HighlightItem *m_highlight = nullptr;
  NodeTexts m_texts; // kept when another layout replaces the nodes
  std::vector<NodeItem *> m_nodes;
  std::vector<Subject> m_selected;
  std::optional<Subject> m_active, m_hovered;
  std::set<std::uint32_t> m_matches;
  std::vector<NodePlace> m_places;
  ShownSchedulePtr m_shown;
  Colouring m_colouring = Colouring::Kernel;
  HullPicture m_hulls;
};

} // namespace tessera::views
