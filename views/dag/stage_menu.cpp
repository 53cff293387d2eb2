// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/stage_menu.h"

#include <QAction>
#include <QActionEvent>

namespace tessera::views {

using document::Move;

namespace {
constexpr int kMostRefused = 6; // limit for listed illegal moves into neighbouring kernels
}

StageMenu::StageMenu(MoveFinder &finder, const QString &title, const QString &freeze,
                     QWidget *parent)
    : QMenu(parent), m_finder(finder) {
  setObjectName(QStringLiteral("stageMenu"));
  setAccessibleName(title);
  setToolTipsVisible(true);
  addSection(title);
  const QString unable = m_finder.whyNot();
  m_looking =
      addAction(unable.isEmpty() ? tr("Looking for other places to compute this stage …") : unable);
  m_looking->setEnabled(false);
  m_own = addAction(tr("In a &Kernel of Its Own"));
  m_own->setObjectName(QStringLiteral("moveOwn"));
  m_inline = addAction(tr("&Inline"));
  m_inline->setObjectName(QStringLiteral("moveInline"));
  for (QAction *action : {m_own, m_inline}) {
    action->setEnabled(false);
    action->setVisible(unable.isEmpty());
  }
  addSeparator();
  QAction *all = addAction(tr("All &Legal Changes…\tCtrl+D"), this, &StageMenu::choicesWanted);
  all->setEnabled(!freeze.isEmpty() && unable.isEmpty());
  QAction *freezing = addAction((freeze.isEmpty() ? tr("Freeze") : freeze) + tr("\tCtrl+L"), this,
                                &StageMenu::freezeWanted);
  freezing->setObjectName(QStringLiteral("freeze"));
  freezing->setEnabled(!freeze.isEmpty() && unable.isEmpty());
  addSeparator();
  addAction(tr("&Zoom to the Stage"), this, &StageMenu::zoomWanted);
  connect(&m_finder, &MoveFinder::changed, this, &StageMenu::showMoves);
  connect(&m_finder, &MoveFinder::forgotten, this, &QMenu::close);
  showMoves();
}

// Qt measures all entries of a visible menu for each change of one. While the menu is filled, it is
// told only of entries that are new.
void StageMenu::actionEvent(QActionEvent *event) {
  if (!m_isFilling || event->type() != QEvent::ActionChanged) QMenu::actionEvent(event);
}

void StageMenu::showMoves() {
  m_isFilling = true;
  int refused = 0;
  for (const Move &move : m_finder.moves()) {
    if (move.kind == Move::Kind::OwnKernel) show(*m_own, move);
    if (move.kind == Move::Kind::Inline) show(*m_inline, move);
    if (move.kind != Move::Kind::Fuse || !move.isNeighbour) continue;
    if (!move.isLegal() && ++refused > kMostRefused) continue;
    if (!m_known.insert(move.kernel).second) continue;
    auto *action = new QAction(this);
    action->setObjectName(QStringLiteral("moveInto%1").arg(move.kernel));
    action->setText(MoveFinder::description(move));
    show(*action, move);
    insertAction(m_own, action);
  }
  m_looking->setVisible(m_finder.isLooking() || !m_finder.whyNot().isEmpty());
  m_isFilling = false;
  QActionEvent filled(QEvent::ActionChanged, m_own);
  QMenu::actionEvent(&filled);
}

// Shows the effect of a move after a tab, where menus show shortcuts. The entry of a refused move
// is disabled, and its tooltip says why.
void StageMenu::show(QAction &action, const Move &move) {
  if (!action.data().isNull()) return;
  action.setData(true);
  action.setEnabled(move.isLegal());
  const QString effect = m_finder.effect(move);
  action.setText(action.text() + '\t' +
                 (move.isLegal() ? effect
                  : move.isThere ? tr("as it is now")
                                 : tr("not legal")));
  QStringList along;
  for (const std::string &one : move.along)
    along << QString::fromStdString(one);
  action.setToolTip(!move.isLegal() ? QString::fromStdString(move.refusal)
                    : along.isEmpty()
                        ? m_finder.timeAfter(move)
                        : tr("%1; also moves %2").arg(m_finder.timeAfter(move), along.join(", ")));
  connect(&action, &QAction::triggered, this, [this, move] { emit moveChosen(move); });
}

} // namespace tessera::views
