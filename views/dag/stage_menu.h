// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/move_finder.h"

#include <QMenu>

#include <set>

namespace tessera::views {

// The moves that are possible for one stage: where it could be computed instead, with the predicted
// effect of each as soon as it is known, and entries that lead to all other decisions. The menu
// opens at once, without waiting for predictions.
class StageMenu : public QMenu {
  Q_OBJECT
public:
  // `title` names the stage. `freeze` is the text of the freeze command, made by freezeText();
  // empty: the menu offers no decisions of the stage.
  StageMenu(MoveFinder &finder, const QString &title, const QString &freeze, QWidget *parent);

signals:
  void moveChosen(const tessera::document::Move &move);
  void choicesWanted();
  void freezeWanted();
  void zoomWanted();

protected:
  void actionEvent(QActionEvent *event) override;

private:
  void showMoves();
  void show(QAction &action, const document::Move &move);

  MoveFinder &m_finder;
  QAction *m_looking = nullptr, *m_own = nullptr, *m_inline = nullptr;
  std::set<int> m_known; // kernels that have an entry already
  bool m_isFilling = false;
};

} // namespace tessera::views
