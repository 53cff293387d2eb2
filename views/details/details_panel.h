// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/flows/selection.h"
#include "views/flows/shown_schedule.h"
#include "views/theme/seen_refresh.h"

#include <QTextBrowser>
#include <QTimer>

namespace tessera::views {

// Details of the active stage or input, or of the pipeline while nothing is active. They are laid
// out only while they are seen, and after the DAG and the tables have shown what is selected.
class DetailsPanel : public QTextBrowser {
  Q_OBJECT
public:
  explicit DetailsPanel(Selection &selection, QWidget *parent = nullptr);

  void setPipeline(pipeline::PipelinePtr pipeline);
  void showSchedule(ShownSchedulePtr shown); // null: none

protected:
  void changeEvent(QEvent *event) override;

private:
  void refresh();

  Selection &m_selection;
  pipeline::PipelinePtr m_pipeline;
  ShownSchedulePtr m_shown;
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
  QTimer m_later; // runs while a selection waits to be shown
};

} // namespace tessera::views
