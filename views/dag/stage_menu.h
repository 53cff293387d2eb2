// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/move_finder.h"

#include <QMenu>

#include <set>

namespace tessera::views {

// What could be done about one stage: where it could be computed instead, each with its effect as
// soon as that is known, and the way to everything else. Open at once; nothing waits for numbers.
class StageMenu : public QMenu {
  Q_OBJECT
public:
  // `title`: what it is about. `hasDecisions`: all its decisions can be offered, too.
  StageMenu(MoveFinder &finder, const QString &title, bool hasDecisions, QWidget *parent);

signals:
  void moveChosen(const tessera::document::Move &move);
  void choicesWanted();
  void freezeWanted();
  void zoomWanted();

private:
  void showMoves();
  void show(QAction &action, const document::Move &move);

  MoveFinder &m_finder;
  QAction *m_looking = nullptr, *m_own = nullptr, *m_inline = nullptr;
  std::set<int> m_known; // kernels that have an entry
};

} // namespace tessera::views
