// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/schedule_menu.h"

#include "views/window/action_reason.h"
#include "views/window/window_actions.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QMenu>

namespace tessera::views {

ScheduleMenu::ScheduleMenu(QMenu &menu, WindowActions &actions, Workspace &workspace)
    : QObject(&menu), m_workspace(workspace) {
  m_start = actions.add(menu, tr("&Schedule"), QStringLiteral("schedule"),
                        {QKeySequence(Qt::CTRL | Qt::Key_R)},
                        [this] { emit searchWanted(DocumentFlow::Around::Nothing); });
  m_around =
      actions.add(menu, tr("&Re-search Around My Decisions"), QStringLiteral("search-around"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
                  [this] { emit searchWanted(DocumentFlow::Around::Decisions); });
  m_around->setObjectName(QStringLiteral("searchAround"));
  m_around->setIconText(tr("Re-search")); // in the tool bar, where the whole name is too wide
  // Without a shortcut: Escape belongs to the job indicator, which stops this job like any other.
  m_stop = actions.add(menu, tr("S&top"), QStringLiteral("stop"), {},
                       [&workspace] { workspace.schedule().stop(); });
  actions.add(menu, tr("Choose the &GPU…"), {}, {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
              [this] { emit machinesWanted(); });
  actions.add(menu, tr("Choose the &Algorithm…"), {},
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
              [this] { emit algorithmsWanted(); });
  connect(&workspace.schedule(), &ScheduleFlow::stateChanged, this, &ScheduleMenu::update);
  connect(&workspace.documents(), &DocumentFlow::currentChanged, this, &ScheduleMenu::update);
  update();
}

void ScheduleMenu::update() {
  const ScheduleFlow &schedule = m_workspace.schedule();
  const bool runs = schedule.isRunning();
  const QString cannot = !schedule.hasPipeline() || !schedule.service().run
                             ? tr("Open a pipeline to schedule it")
                         : runs ? tr("A search is running")
                                : QString();
  const QString cannotAround = cannot.isEmpty() && !m_workspace.documents().hasFrozen()
                                   ? tr("Nothing is frozen: change or freeze a decision first")
                                   : cannot;
  const QString cannotStop = runs ? QString() : tr("No search is running");
  const auto set = [](QAction &action, const QString &what, const QString &whyNot) {
    enable(action, whyNot);
    action.setToolTip(whyNot.isEmpty() ? what : whyNot);
  };
  const int frozen = m_workspace.documents().frozenCount();
  set(*m_start,
      frozen == 0 ? tr("Search for a schedule (Ctrl+R)")
      : frozen == 1
          ? tr("Search afresh, and keep the frozen decision (Ctrl+R)")
          : tr("Search afresh, and keep the %n frozen decisions (Ctrl+R)", nullptr, frozen),
      cannot);
  set(*m_around,
      tr("Continue the search from this schedule, and keep the frozen decisions. With the "
         "algorithm auto, the schedule does not get slower (Ctrl+Shift+R)"),
      cannotAround);
  set(*m_stop, tr("Stop the search and keep the best schedule (Esc)"), cannotStop);
}

} // namespace tessera::views
