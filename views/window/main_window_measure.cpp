// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring in MainWindow: its actions, what they say when they are off, and what went wrong.
#include "views/candidates/candidate_panel.h"
#include "views/candidates/others_dialog.h"
#include "views/measurements/measurement_panel.h"
#include "views/text/measurement_text.h"
#include "views/pipeline/host_page.h"
#include "views/pipeline/pipeline_panel.h"
#include "views/pipeline/tool_page.h"
#include "views/stages/stage_panel.h"
#include "views/window/action_reason.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

namespace tessera::views {

namespace {

const QString kCounts = QStringLiteral("measure/counts");

// An action that is off says why, to whoever points at it and in the status bar.
void explain(QAction &action, const QString &whyNot, const QString &meaning) {
  enable(action, whyNot);
  const QString keys = action.shortcut().toString(QKeySequence::NativeText);
  action.setToolTip(whyNot.isEmpty() && !keys.isEmpty()
                        ? QStringLiteral("%1 (%2)").arg(meaning, keys)
                    : whyNot.isEmpty() ? meaning
                                       : whyNot);
  action.setStatusTip(whyNot.isEmpty() ? meaning : whyNot);
}

} // namespace

void MainWindow::addMeasureActions(QMenu &menu) {
  menu.addSeparator();
  m_measureShown =
      addAction(menu, tr("&Measure"), QStringLiteral("measure"),
                {QKeySequence(Qt::CTRL | Qt::Key_M)}, [this] { m_measure.measureShown(); });
  m_measureAll = addAction(menu, tr("Measure A&ll Candidates"), {},
                           {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M)},
                           [this] { m_measure.measure(m_measure.unmeasured()); });
  m_measureAll->setObjectName(QStringLiteral("measureAll"));
  m_counts = new QAction(tr("&Count With NVIDIA's Profiler"), this);
  m_counts->setObjectName(QStringLiteral("countToo"));
  m_counts->setToolTip(tr("Also bytes, operations and achieved occupancy of each kernel, where the "
                          "driver allows it; takes a few more runs"));
  m_counts->setCheckable(true);
  m_counts->setChecked(m_settings.value(kCounts).toBool());
  m_measure.setCounts(m_counts->isChecked());
  connect(m_counts, &QAction::toggled, this, [this](bool counts) {
    m_settings.setValue(kCounts, counts);
    m_measure.setCounts(counts);
  });
  m_hostMenu = menu.addMenu(tr("Measure &On"));
  m_hostMenu->setObjectName(QStringLiteral("hostMenu"));
  m_hostMenu->setToolTipsVisible(true);
  // Not while one of its own actions is at work.
  connect(&m_hosts, &HostModel::listChanged, this, &MainWindow::fillHosts, Qt::QueuedConnection);
  connect(&m_hosts, &HostModel::changed, this, &MainWindow::nameHosts);
  fillHosts();
  m_verify = addAction(menu, tr("&Verify"), QStringLiteral("verify"),
                       {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
                       [this] { m_measure.verifyShown(); });
  m_stopMeasuring = addAction(menu, tr("Stop Meas&uring"), {}, {}, [this] { m_measure.stop(); });
  m_stopMeasuring->setObjectName(QStringLiteral("stopMeasuring"));
  m_addOthers = addAction(menu, tr("Add &Others' Schedules…"), {}, {}, [this] { askForOthers(); });
  m_addOthers->setObjectName(QStringLiteral("addOthersAction"));
  m_documentActions << m_addOthers;
  m_lookForGpu =
      addAction(menu, tr("Look for a &GPU Again"), {}, {}, [this] { m_measure.lookForGpu(); });
  m_lookForGpu->setObjectName(QStringLiteral("lookForGpu"));

  connect(&m_measure, &MeasureFlow::changed, this, &MainWindow::updateMeasureActions);
  connect(&m_measure, &MeasureFlow::failed, this, [this] {
    if (const QString off = m_ladder.mayMeasure() ? QString() : m_measure.whyNotMeasure();
        !off.isEmpty())
      m_measureNote->tell(m_measure.failureText() + '\n' + off);
    else
      m_measureNote->offer(m_measure.failureText(), tr("&Retry"));
    updateMeasureActions();
  });
  connect(m_measureNote, &NoteBar::accepted, &m_measure, &MeasureFlow::retry);
  connect(&m_measure, &MeasureFlow::verified, this, [this](quint64 id, const QString &text) {
    m_measurements->choose(id, MeasurementModel::Kind::Verified);
    m_measureNote->tell(text);
  });
  connect(&m_measure, &MeasureFlow::measured, this, [this](quint64 id) {
    m_measurements->choose(id);
    // Of what is shown it stands beside the prediction, which a message would cover.
    const auto candidate = m_documents.document().candidate(id);
    if (candidate && candidate != m_measure.shownCandidate())
      statusBar()->showMessage(tr("%1: %2").arg(QString::fromStdString(candidate->label.name),
                                                measuredText(*candidate->measurement)),
                               6000);
  });
  connect(&m_kernels, &ShownKernels::changed, this, [this] {
    std::vector<std::optional<double>> seconds;
    for (int i = 0; m_kernels.measurement() && i < m_kernels.count(); ++i)
      seconds.push_back(m_kernels.measured(i));
    m_stages->showMeasured(std::move(seconds));
  });
  connect(m_candidates, &CandidatePanel::othersWanted, this, &MainWindow::askForOthers);
  connect(m_measurements, &MeasurementPanel::told, m_note, &NoteBar::tell);
  connect(&m_measure, &MeasureFlow::changed, this, [this] {
    if (m_measure.state() != MeasureFlow::State::Idle) m_measureNote->hide(); // it is another one
  });
}

void MainWindow::addMeasureTools(QToolBar &bar) {
  for (QAction *action : {m_measureShown, m_verify})
    addNamedTool(bar, *action);
  if (auto *button = qobject_cast<QToolButton *>(bar.widgetForAction(m_measureShown))) {
    button->setObjectName(QStringLiteral("measureTool"));
    button->setMenu(m_hostMenu);
    button->setPopupMode(QToolButton::MenuButtonPopup);
  }
  updateMeasureActions();
}

void MainWindow::updateMeasureActions() {
  const QString whyNot = m_measure.whyNotMeasure(), whyNotShown = m_measure.whyNotMeasureShown();
  explain(*m_measureShown, whyNotShown, tr("Measure what is shown on %1").arg(m_measure.where()));
  const bool hasMore = whyNot.isEmpty() && !m_measure.unmeasured().empty();
  explain(*m_measureAll,
          !whyNot.isEmpty() || hasMore ? whyNot : tr("All candidates are measured already."),
          tr("Measure every candidate that has no time yet, or a stale one"));
  explain(*m_verify, m_measure.whyNotVerifyShown(),
          tr("Compare the outputs with those of the pipeline without a schedule; needs no GPU"));
  explain(*m_stopMeasuring,
          m_measure.state() == MeasureFlow::State::Idle ? tr("Nothing is measured.") : QString(),
          tr("Stop, and keep what is measured already"));
  m_measurements->setWhyEmpty(whyNotShown.isEmpty()
                                  ? tr("Nothing is measured yet.\nCtrl+M measures what is shown; "
                                       "Ctrl+Shift+M compares its outputs, without a GPU.")
                                  : tr("Nothing is measured yet.\n%1").arg(whyNotShown));
  m_lookForGpu->setVisible(!m_measure.hasGpu());
  m_lookForGpu->setEnabled(m_measure.canLookForGpu());
  updateMeasured();
}

// Of the schedule that is shown, beside its prediction; all that count, for the panels about
// kernels.
void MainWindow::updateMeasured() {
  std::vector<document::CandidatePtr> measured;
  if (m_documents.hasDocument())
    for (const document::CandidatePtr &one : m_documents.document().candidates())
      if (m_documents.document().isMeasured(*one)) measured.push_back(one);
  m_kernels.setMeasured(std::move(measured));
  const document::CandidatePtr candidate = m_measure.shownCandidate();
  m_measured->setText(
      candidate && candidate->measurement
          ? tr("·   %1").arg(measuredText(*candidate->measurement)) +
                (m_documents.document().freshnessOf(*candidate) == measure::Freshness::Fresh
                     ? QString()
                     : tr(", stale"))
          : QString());
}

// What the card of abilities offers.
void MainWindow::remedy(Ability::Remedy remedy) {
  switch (remedy) {
  case Ability::Remedy::None:
    return;
  case Ability::Remedy::LookForGpu:
    return m_measure.lookForGpu();
  case Ability::Remedy::ClimbBack:
    m_measureNote->hide(); // it says that something is off
    return m_ladder.climb();
  case Ability::Remedy::ShowTools:
    m_pipelineDock->show();
    m_pipelineDock->raise();
    return m_pipeline->tabs().setCurrentWidget(m_toolPage);
  }
}

void MainWindow::fillHosts() {
  m_hostMenu->clear();
  qDeleteAll(m_hostMenu->findChildren<QActionGroup *>());
  auto *group = new QActionGroup(m_hostMenu);
  for (const QString &host : QStringList{QString()} + m_hosts.hosts()) {
    QAction *action = m_hostMenu->addAction(host);
    action->setObjectName(QStringLiteral("host.") + host);
    action->setData(host);
    action->setCheckable(true);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, host] { chooseHost(host); });
  }
  m_hostMenu->addSeparator();
  m_hostMenu->addAction(m_counts);
  QAction *hosts = m_hostMenu->addAction(tr("&Hosts…"), this, &MainWindow::showHosts);
  hosts->setObjectName(QStringLiteral("showHosts"));
  nameHosts();
}

// With what is known of each.
void MainWindow::nameHosts() {
  for (QAction *action : m_hostMenu->actions()) {
    if (!action->data().isValid()) continue;
    const QString host = action->data().toString();
    const QString name = host.isEmpty() ? tr("This Computer") : host;
    const QString &gpu = m_hosts.gpu(host);
    QString text = gpu.isEmpty() ? name : tr("%1 — %2").arg(name, gpu);
    action->setText(text.replace('&', QStringLiteral("&&")));
    action->setToolTip(m_hosts.whyNot(host).isEmpty() ? action->text() : m_hosts.whyNot(host));
    action->setChecked(host == m_hosts.chosen());
  }
}

// Who chooses one wants to know what is there.
void MainWindow::chooseHost(const QString &host) {
  m_hosts.choose(host);
  if (!m_measure.hasGpu()) m_hosts.test(host);
}

void MainWindow::showHosts() {
  m_pipelineDock->show();
  m_pipelineDock->raise();
  m_pipeline->tabs().setCurrentWidget(m_hostPage);
  m_hostPage->setFocus();
}

void MainWindow::askForOthers() {
  if (auto *open = findChild<OthersDialog *>()) return open->raise();
  auto *dialog = new OthersDialog(m_others, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

} // namespace tessera::views
