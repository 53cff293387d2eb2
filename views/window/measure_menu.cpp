// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/measure_menu.h"

#include "views/window/action_reason.h"
#include "views/window/host_menu.h"
#include "views/window/window_actions.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QMenu>

namespace tessera::views {

MeasureMenu::MeasureMenu(QMenu &menu, WindowActions &actions, Workspace &workspace)
    : QObject(&menu), m_workspace(workspace) {
  MeasureFlow &measuring = workspace.measuring();
  m_measure =
      actions.add(menu, tr("&Measure"), QStringLiteral("measure"),
                  {QKeySequence(Qt::CTRL | Qt::Key_M)}, [&measuring] { measuring.measureShown(); });
  m_measureAll = actions.add(menu, tr("Measure A&ll Candidates"), {},
                             {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M)},
                             [&measuring] { measuring.measure(measuring.unmeasured()); });
  m_measureAll->setObjectName(QStringLiteral("measureAll"));
  m_hosts = new HostMenu(workspace, &menu);
  menu.addMenu(m_hosts);
  m_verify = actions.add(menu, tr("&Verify"), QStringLiteral("verify"),
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
                         [&measuring] { measuring.verifyShown(); });
  m_stop = actions.add(menu, tr("Stop Meas&uring"), {}, {}, [&measuring] { measuring.stop(); });
  m_stop->setObjectName(QStringLiteral("stopMeasuring"));
  QAction *addOthers = actions.addForPipeline(menu, tr("Add Oth&ers' Schedules…"), {}, {},
                                              [this] { emit othersWanted(); });
  addOthers->setObjectName(QStringLiteral("addOthersAction"));
  m_lookForGpu = actions.add(menu, tr("Loo&k for a GPU Again"), {}, {},
                             [&measuring] { measuring.lookForGpu(); });
  m_lookForGpu->setObjectName(QStringLiteral("lookForGpu"));
  connect(&measuring, &MeasureFlow::changed, this, &MeasureMenu::update);
  connect(&measuring, &MeasureFlow::failed, this, &MeasureMenu::update);
  update();
}

void MeasureMenu::update() {
  const MeasureFlow &measuring = m_workspace.measuring();
  const QString whyNot = measuring.whyNotMeasure();
  explain(*m_measure, measuring.whyNotMeasureShown(),
          tr("Measure the current schedule on %1").arg(measuring.where()));
  const bool hasMore = whyNot.isEmpty() && !measuring.unmeasured().empty();
  explain(*m_measureAll,
          !whyNot.isEmpty() || hasMore ? whyNot : tr("All candidates have already been measured."),
          tr("Measure every candidate that has no time yet or a stale time"));
  explain(*m_verify, measuring.whyNotVerifyShown(),
          tr("Compare the outputs with those of the unscheduled pipeline; no GPU is needed"));
  explain(*m_stop,
          measuring.state() == MeasureFlow::State::Idle ? tr("No measurement is running")
                                                        : QString(),
          tr("Stop measuring, and keep what was measured already"));
  m_lookForGpu->setVisible(!measuring.hasGpu());
  m_lookForGpu->setEnabled(measuring.canLookForGpu());
}

} // namespace tessera::views
