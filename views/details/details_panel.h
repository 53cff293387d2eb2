// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "views/flows/selection.h"

#include <QTextBrowser>

namespace tessera::views {

// Details of the active stage or input, or of the pipeline while nothing is active.
class DetailsPanel : public QTextBrowser {
  Q_OBJECT
public:
  explicit DetailsPanel(Selection &selection, QWidget *parent = nullptr);

  void setPipeline(pipeline::PipelinePtr pipeline);

protected:
  void changeEvent(QEvent *event) override;

private:
  void refresh();

  Selection &m_selection;
  pipeline::PipelinePtr m_pipeline;
};

} // namespace tessera::views
