// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_layouter.h"
#include "views/dag/dag_view.h"
#include "views/dag/hull_maker.h"
#include "engine/pipeline/pipeline.h"
#include "views/flows/selection.h"
#include "views/flows/shown_schedule.h"

#include <QWidget>

#include <memory>
#include <vector>

class QAction;

namespace tessera::views {

class DagLegend;
class FindBar;
class MiniMap;

// Shows the DAG of the open pipeline with a find bar and a legend, and connects the view to the
// shared selection.
class DagPanel : public QWidget {
  Q_OBJECT
public:
  DagPanel(Selection &selection, Bridge &bridge, DagLayouter::Graphviz graphviz,
           QWidget *parent = nullptr);
  ~DagPanel() override;

  // Provisional: a search is still running and may find more schedules. Stages that a schedule adds
  // are laid out only after the search, so that nodes do not jump during it.
  enum class Stage { Settled, Provisional };

  void setPipeline(pipeline::PipelinePtr pipeline);
  // Null: there is no schedule.
  void showSchedule(ShownSchedulePtr schedule, Stage stage = Stage::Settled);
  void settle(); // the search has ended
  void layOut(); // computes the layout again after Graphviz has failed
  const ShownSchedulePtr &schedule() const { return m_schedule; }
  void find();
  void findNext();
  void findPrevious();

  DagView &view() { return *m_view; }
  MiniMap &map() { return *m_map; }
  DagScene &scene() { return m_scene; }
  bool isLaidOut() const { return m_quality.has_value(); }
  // Nodes, edges and hulls are drawn.
  bool isDrawn() const { return isLaidOut() && !m_hulls.isBusy(); }
  QList<QAction *> viewActions() const { return {m_heat, m_mapToggle, m_rightward}; }

  // Emits choicesWanted() for the active stage, so that a popup opens beside its node.
  void askForChoices();

  // Scrolls the active stage's node into view and returns its rectangle on the screen.
  std::optional<QRect> revealActive();

signals:
  // The user asks what could be changed about a stage. `where` is on the screen.
  void choicesWanted(tessera::views::Subject subject, QRect where);
  void menuWanted(std::uint32_t node, tessera::views::Subject subject, QPoint onScreen);
  void laidOut(tessera::views::DagLayouter::Quality quality);
  void layoutFailed(const QString &message);

protected:
  void changeEvent(QEvent *event) override;

private:
  void setUpActions();
  void layOutWidgets();
  void connectView();
  DagDirection direction() const;
  void showLayout(const host::GraphLayout &made, DagLayouter::Quality quality);
  void showPlaces();
  std::optional<Subject> anchor() const;
  void selectionChanged(Selection::Changes changes);
  std::optional<std::uint32_t> activeNode() const;
  void restyle();
  void fillLegend();
  void search(const QString &text);
  void jump(int step);
  void walk(Qt::Key key);

  Selection &m_selection;
  DagScene m_scene;
  DagView *m_view = nullptr;
  FindBar *m_find = nullptr;
  DagLegend *m_legend = nullptr;
  MiniMap *m_map = nullptr;
  QAction *m_heat = nullptr, *m_mapToggle = nullptr, *m_rightward = nullptr;
  DagLayouter m_layouter;
  HullMaker m_hulls;
  pipeline::PipelinePtr m_pipeline;
  std::shared_ptr<const DagGraph> m_graph; // shown by the scene; null: none yet
  // The graph that is being laid out, or m_graph if no layout is running.
  std::shared_ptr<const DagGraph> m_nextGraph;
  ShownSchedulePtr m_schedule;
  std::vector<schedule::Derivation> m_added; // the stages that the schedule of m_nextGraph adds
  std::optional<DagLayouter::Quality> m_quality;
  std::vector<std::uint32_t> m_matches;
  int m_match = -1;
  bool m_isMapChosen = false; // the user has shown or hidden the map
  // True: the next change of the selection was made in this panel, so the view does not scroll to
  // it.
  bool m_ownWish = false;
};

} // namespace tessera::views
