// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/dag/dag_layouter.h"
#include "views/dag/dag_view.h"
#include "views/models/selection.h"
#include "views/models/shown_schedule.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QHBoxLayout;

namespace tessera::views {

class FindBar;

// The DAG of the open pipeline with find bar and legend; ties the view to the shared selection.
class DagPanel : public QWidget {
  Q_OBJECT
public:
  DagPanel(Selection &selection, Bridge &bridge, DagLayouter::Graphviz graphviz,
           QWidget *parent = nullptr);
  ~DagPanel() override;

  void setPipeline(pipeline::PipelinePtr pipeline);
  void showSchedule(ShownSchedulePtr schedule); // of that pipeline; null: none
  void find();
  void findNext();
  void findPrevious();

  DagView &view() { return *m_view; }
  DagScene &scene() { return m_scene; }
  bool isLaidOut() const { return m_quality.has_value(); }

  void askForChoices(); // about the active stage, beside its node

signals:
  // The user asks what could be changed about a stage, at a place on the screen.
  void choicesWanted(tessera::views::Subject subject, QRect where);
  void laidOut(tessera::views::DagLayouter::Quality quality);
  void layoutFailed(const QString &message);

protected:
  void changeEvent(QEvent *event) override;

private:
  void showLayout(const session::GraphLayout &layout, DagLayouter::Quality quality);
  void selectionChanged(Selection::Changes changes);
  std::optional<std::uint32_t> activeNode() const;
  void restyle();
  void fillLegend();
  void addToLegend(QHBoxLayout &row, const QPixmap &mark, const QString &text);
  void search(const QString &text);
  void jump(int step);
  void walk(Qt::Key direction);

  Selection &m_selection;
  DagScene m_scene;
  DagView *m_view = nullptr;
  FindBar *m_find = nullptr;
  QWidget *m_legend = nullptr;
  // Kinds, and below them what a schedule adds: in one row they would widen a narrow window.
  QHBoxLayout *m_legendRow = nullptr, *m_scheduleRow = nullptr;
  QLabel *m_zoom = nullptr;
  DagLayouter m_layouter;
  std::shared_ptr<const DagGraph> m_graph; // of the open pipeline; the scene may show none yet
  ShownSchedulePtr m_schedule;
  std::optional<DagLayouter::Quality> m_quality;
  std::vector<std::uint32_t> m_matches;
  int m_match = -1;
  bool m_ownWish = false; // the selection that comes back is ours: the view stays where it is
};

} // namespace tessera::views
