// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/abilities.h"

#include <QToolButton>

namespace tessera::views {

class AbilityCard;

// A button in the status bar that says in a few words what does not work on this computer. A click
// shows the details.
class AbilityButton : public QToolButton {
  Q_OBJECT
public:
  AbilityButton(Abilities &abilities, QWidget *window);

  void toggle();

signals:
  void remedyWanted(Ability::Remedy remedy);

protected:
  void changeEvent(QEvent *event) override;

private:
  void refresh();

  Abilities &m_abilities;
  AbilityCard *m_card = nullptr;
};

} // namespace tessera::views
