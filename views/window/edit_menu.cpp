// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/edit_menu.h"

#include "views/window/action_reason.h"
#include "views/window/window_actions.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QMenu>

namespace tessera::views {

EditMenu::EditMenu(QMenu &menu, WindowActions &actions, Workspace &workspace, DagPanel &dag,
                   DecisionPanel &decisions)
    : QObject(&menu), m_workspace(workspace), m_decisions(decisions) {
  DocumentFlow &documents = workspace.documents();
  m_undo = actions.add(menu, tr("&Undo"), QStringLiteral("undo"), {QKeySequence::Undo},
                       [&documents] { documents.undo(); });
  m_redo = actions.add(
      menu, tr("&Redo"), QStringLiteral("redo"),
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
      [&documents] { documents.redo(); });
  menu.addSeparator();
  m_change = actions.add(menu, tr("&Change the Stage…"), {}, {QKeySequence(Qt::CTRL | Qt::Key_D)},
                         [&dag] { dag.askForChoices(); });
  m_freeze = actions.add(
      menu, tr("&Freeze or Unfreeze the Stage"), {}, {QKeySequence(Qt::CTRL | Qt::Key_L)},
      [&decisions, &workspace] { decisions.freezeStage(workspace.selection().active()); });
  connect(&documents, &DocumentFlow::changed, this, &EditMenu::update);
  connect(&workspace.schedule(), &ScheduleFlow::shownChanged, this, &EditMenu::update);
  connect(&workspace.schedule(), &ScheduleFlow::stateChanged, this, &EditMenu::update);
  connect(&workspace.selection(), &Selection::changed, this, &EditMenu::update);
  update();
}

void EditMenu::update() {
  const DocumentFlow &documents = m_workspace.documents();
  const QString undo = documents.undoName(), redo = documents.redoName();
  enable(*m_undo, undo.isEmpty() ? tr("There is nothing to undo") : QString());
  enable(*m_redo, redo.isEmpty() ? tr("There is nothing to redo") : QString());
  m_undo->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(undo));
  m_redo->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(redo));
  const QString noSchedule = whyNoSchedule(m_workspace.schedule());
  enable(*m_change, noSchedule);
  const QString freeze = m_decisions.freezeText(m_workspace.selection().active());
  m_freeze->setText(freeze.isEmpty() ? tr("&Freeze or Unfreeze the Stage") : freeze);
  enable(*m_freeze, !noSchedule.isEmpty() ? noSchedule
                    : freeze.isEmpty()    ? tr("No stage is selected")
                                          : QString());
}

} // namespace tessera::views
