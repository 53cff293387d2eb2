// SPDX-License-Identifier: GPL-3.0-or-later
// Schedule and Stop in MainWindow, what to schedule with, and where the result is shown.
#include "views/dag/dag_panel.h"
#include "views/pipeline/machine_page.h"
#include "views/stages/stage_panel.h"
#include "views/window/action_reason.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>

namespace tessera::views {

namespace {

const QString kMachine = QStringLiteral("schedule/machine");
const QString kAlgorithm = QStringLiteral("schedule/algorithm");

// What was chosen the last time, else the first or what the engine takes by itself.
void fill(QComboBox &box, const std::vector<ScheduleService::Choice> &choices,
          const QString &wanted, const QString &otherwise) {
  for (const ScheduleService::Choice &choice : choices) {
    box.addItem(QString::fromStdString(choice.name));
    box.setItemData(box.count() - 1, QString::fromStdString(choice.title), Qt::ToolTipRole);
  }
  int index = box.findText(wanted);
  if (index < 0) index = box.findText(otherwise);
  box.setCurrentIndex(qMax(index, choices.empty() ? -1 : 0));
}

} // namespace

void MainWindow::buildScheduleMenu() {
  QMenu &menu = *menuBar()->addMenu(tr("&Search"));
  menu.setToolTipsVisible(true);
  m_startSearch = addAction(menu, tr("&Schedule"), QStringLiteral("schedule"),
                            {QKeySequence(Qt::CTRL | Qt::Key_R)},
                            [this] { startSearch(DocumentFlow::Around::Nothing); });
  m_searchAround = addAction(menu, tr("&Re-search Around My Decisions"), {},
                             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
                             [this] { startSearch(DocumentFlow::Around::Decisions); });
  m_searchAround->setObjectName(QStringLiteral("searchAround"));
  // Escape is the job indicator's, which ends this job as any other.
  m_stopSearch =
      addAction(menu, tr("S&top"), QStringLiteral("stop"), {}, [this] { m_schedule.stop(); });
  const auto open = [](QComboBox &box) {
    box.setFocus(Qt::ShortcutFocusReason);
    box.showPopup();
  };
  addAction(menu, tr("Choose the &GPU…"), {}, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
            [this, open] { open(*m_machine); });
  addAction(menu, tr("Choose the &Algorithm…"), {},
            {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}, [this, open] { open(*m_algorithm); });
  addMeasureActions(menu);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &MainWindow::updateSearchActions);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &MainWindow::scheduleChanged);
  connect(&m_schedule, &ScheduleFlow::stateChanged, &m_kernels, [this] {
    if (m_schedule.isRunning()) return;
    m_kernels.settle();
    m_dag->settle();
  });
  connect(&m_pinned, &PinnedSchedules::changed, &m_kernels, &ShownKernels::setPinned);
  connect(&m_schedule, &ScheduleFlow::notShown, this, [this] {
    const Error &error = *m_schedule.error();
    m_note->tell(tr("Our model says nothing of this schedule: %1 %2")
                     .arg(QString::fromStdString(error.message), QString::fromStdString(error.hint))
                     .trimmed());
  });
  connect(&m_schedule, &ScheduleFlow::refused, this, [this] {
    const Error &error = *m_schedule.error();
    m_note->tell(tr("No schedule was found: %1 %2")
                     .arg(QString::fromStdString(error.message), QString::fromStdString(error.hint))
                     .trimmed());
  });
}

void MainWindow::addSearchTools(QToolBar &bar) {
  bar.addSeparator();
  for (QAction *action : {m_startSearch, m_stopSearch})
    addNamedTool(bar, *action);
  addMeasureTools(bar);
  const ScheduleService &service = m_schedule.service();
  const auto add = [&](const QString &name, const QString &title, const QString &key,
                       const std::vector<ScheduleService::Choice> &choices,
                       const QString &otherwise) {
    auto *box = new QComboBox(&bar);
    box->setObjectName(name);
    box->setAccessibleName(title);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    fill(*box, choices, m_settings.value(key).toString(), otherwise);
    const auto describe = [box, title](int index) {
      box->setToolTip(title + QStringLiteral(": ") +
                      box->itemData(index, Qt::ToolTipRole).toString());
    };
    describe(box->currentIndex());
    connect(box, &QComboBox::currentIndexChanged, this, describe);
    connect(box, &QComboBox::activated, this,
            [this, box, key] { m_settings.setValue(key, box->currentText()); });
    bar.addWidget(box);
    return box;
  };
  m_machine = add(QStringLiteral("machine"), tr("GPU to schedule for"), kMachine, service.machines,
                  QString::fromStdString(service.defaultMachine));
  m_algorithm =
      add(QStringLiteral("algorithm"), tr("Search algorithm"), kAlgorithm, service.algorithms, {});
  connect(m_machine, &QComboBox::activated, this,
          [this] { chooseMachine(m_machine->currentText()); });
  connect(m_machine, &QComboBox::currentTextChanged, this,
          [this](const QString &name) { m_machinePage->setMachine(name); });
  m_machinePage->setMachine(m_machine->currentText());
  updateSearchActions();
}

void MainWindow::startSearch(DocumentFlow::Around around) {
  m_documents.search(m_algorithm->currentText(), m_machine->currentText(), around);
}

void MainWindow::updateSearchActions() {
  const bool runs = m_schedule.isRunning();
  const QString cannot = !m_schedule.hasPipeline() || !m_schedule.service().run
                             ? tr("Open a pipeline to schedule it")
                         : runs ? tr("A search is running")
                                : QString();
  const QString cannotAround = cannot.isEmpty() && !m_documents.hasFrozen()
                                   ? tr("Nothing is frozen: change or freeze a decision first")
                                   : cannot;
  const QString cannotStop = runs ? QString() : tr("No search is running");
  enable(*m_startSearch, cannot);
  enable(*m_searchAround, cannotAround);
  enable(*m_stopSearch, cannotStop);
  const auto tip = [](QAction &action, const QString &what, const QString &whyNot) {
    action.setToolTip(whyNot.isEmpty() ? what : whyNot);
  };
  tip(*m_startSearch, tr("Search for a schedule (Ctrl+R)"), cannot);
  tip(*m_searchAround, tr("Search for the rest; what is frozen stays (Ctrl+Shift+R)"),
      cannotAround);
  tip(*m_stopSearch, tr("Stop the search and keep its best (Esc)"), cannotStop);
}

void MainWindow::scheduleChanged() {
  const ShownSchedulePtr &shown = m_schedule.shown();
  m_dag->showSchedule(shown, m_schedule.isRunning() ? DagPanel::Stage::Provisional
                                                    : DagPanel::Stage::Settled);
  m_stages->showSchedule(shown);
  m_kernels.setSchedule(shown, m_schedule.isRunning() ? ShownKernels::Stage::Provisional
                                                      : ShownKernels::Stage::Settled);
  m_predicted->setText(shown ? tr("·   %1").arg(shown->summary()) : QString());
}

} // namespace tessera::views
