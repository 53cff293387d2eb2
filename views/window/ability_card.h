// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/abilities.h"

#include <QPointer>
#include <QWidget>

class QGridLayout;

namespace tessera::views {

// What works here and what does not, above the status bar: for each thing that does not, why, what
// works all the same, what to do, and a button where we can do it. Escape or a click elsewhere
// closes it.
class AbilityCard : public QWidget {
  Q_OBJECT
public:
  AbilityCard(Abilities &abilities, QWidget *window);

  void open(); // looks again first
  void dismiss();

signals:
  void remedyWanted(Ability::Remedy remedy);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  bool focusNextPrevChild(bool next) override; // among its buttons
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void fill();
  void addRow(QGridLayout &grid, const Ability &ability);
  void place();

  Abilities &m_abilities;
  QWidget *m_rows = nullptr;
  QPointer<QWidget> m_focus; // that had the focus before
};

} // namespace tessera::views
