// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/abilities.h"

#include <QPointer>
#include <QWidget>

class QGridLayout;

namespace tessera::views {

// A card above the status bar that lists what works on this computer and what does not. For each
// thing that does not work it says why, what still works, what the user can do, and offers a button
// if Tessera can do it. Escape or a click elsewhere closes the card.
class AbilityCard : public QWidget {
  Q_OBJECT
public:
  AbilityCard(Abilities &abilities, QWidget *window);

  void open(); // first looks again at what works
  void dismiss();

signals:
  void remedyWanted(Ability::Remedy remedy);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  bool focusNextPrevChild(bool next) override; // stays among the card's buttons
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void fill();
  void addRow(QGridLayout &grid, const Ability &ability);
  void place();

  Abilities &m_abilities;
  QWidget *m_rows = nullptr;
  QPointer<QWidget> m_focus; // the widget that had the focus before
};

} // namespace tessera::views
