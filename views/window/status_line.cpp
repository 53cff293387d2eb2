// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/status_line.h"

#include "views/window/ability_button.h"
#include "views/window/job_indicator.h"
#include "views/text/counted_text.h"
#include "views/text/measurement_text.h"
#include "views/text/prediction_formula.h"
#include "views/workspace/workspace.h"

#include <QLabel>
#include <QStatusBar>

namespace tessera::views {

StatusLine::StatusLine(QStatusBar &bar, Workspace &workspace, QWidget *window)
    : QObject(window), m_workspace(workspace) {
  m_measured = new QLabel(window);
  m_measured->setObjectName(QStringLiteral("measured"));
  m_measured->setAccessibleName(tr("Measured time"));
  m_facts = new QLabel(window);
  m_facts->setAccessibleName(tr("About the open pipeline"));
  m_facts->setContentsMargins(8, 0, 8, 0);
  m_predicted = new QLabel(window);
  m_predicted->setObjectName(QStringLiteral("predicted"));
  m_predicted->setAccessibleName(tr("Predicted time"));
  m_predicted->setToolTip(predictionFormula());
  m_predicted->setContentsMargins(0, 0, 8, 0); // gap before the measured time
  auto *jobs = new JobIndicator(workspace.bridge(), window);
  bar.setSizeGripEnabled(false);
  bar.setAccessibleName(tr("Status"));
  bar.addWidget(m_facts);
  // A message may hide the facts for a while, but not the times.
  bar.addPermanentWidget(m_predicted);
  bar.addPermanentWidget(m_measured);
  bar.addPermanentWidget(jobs);
  m_abilities = new AbilityButton(workspace.abilities(), window);
  bar.addPermanentWidget(m_abilities);
  connect(&workspace.schedule(), &ScheduleFlow::shownChanged, this, &StatusLine::showPredicted);
  connect(&workspace.measuring(), &MeasureFlow::changed, this, &StatusLine::showMeasured);
}

void StatusLine::showFacts() {
  const auto &document = m_workspace.opening().document();
  if (!document) return m_facts->setText(tr("Open a pipeline, or drop one here"));
  const pipeline::Pipeline &pipeline = *document->opened.pipeline;
  m_facts->setText(tr("%1   ·   %2   ·   %3")
                       .arg(QString::fromStdString(pipeline.name()),
                            stagesText(qint64(pipeline.stages().size())),
                            edgesText(qint64(pipeline.edges().size()))));
}

void StatusLine::showPredicted() {
  const ShownSchedulePtr &shown = m_workspace.schedule().shown();
  m_predicted->setText(shown ? shown->summary() : QString());
}

// The measured time of the shown schedule, beside its predicted time.
void StatusLine::showMeasured() {
  const document::CandidatePtr candidate = m_workspace.measuring().shownCandidate();
  if (!candidate || !candidate->measurement) return m_measured->clear();
  const bool isFresh =
      m_workspace.documents().document().freshnessOf(*candidate) == measure::Freshness::Fresh;
  m_measured->setText(tr("·   %1").arg(measuredText(*candidate->measurement)) +
                      (isFresh ? QString() : tr(", stale")));
}

} // namespace tessera::views
