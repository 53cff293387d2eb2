// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/ability_button.h"

#include "views/window/ability_card.h"
#include "views/window/ability_mark.h"

#include <QEvent>
#include <QStringList>

namespace tessera::views {

AbilityButton::AbilityButton(Abilities &abilities, QWidget *window)
    : QToolButton(window), m_abilities(abilities), m_card(new AbilityCard(abilities, window)) {
  setObjectName(QStringLiteral("abilities"));
  setAutoRaise(true);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::TabFocus);
  connect(this, &QToolButton::clicked, this, &AbilityButton::toggle);
  connect(m_card, &AbilityCard::remedyWanted, this, &AbilityButton::remedyWanted);
  connect(&m_abilities, &Abilities::changed, this, &AbilityButton::refresh);
  refresh();
}

void AbilityButton::toggle() { m_card->isVisible() ? m_card->dismiss() : m_card->open(); }

void AbilityButton::refresh() {
  const Ability *worst = m_abilities.worst();
  const int more = m_abilities.limits() - 1;
  setText(!worst     ? tr("All OK")
          : more > 0 ? tr("%1, %2 more").arg(worst->brief).arg(more)
                     : worst->brief);
  setIcon(markOf(worst ? worst->state : Ability::State::Works, palette(), devicePixelRatioF()));
  setAccessibleName(tr("What works here: %1").arg(text()));
  QStringList lines;
  for (const Ability &ability : m_abilities.all())
    if (ability.limits()) lines << QStringLiteral("%1: %2").arg(ability.title, ability.is);
  if (worst && lines.isEmpty()) lines << QStringLiteral("%1: %2").arg(worst->title, worst->is);
  setToolTip(worst ? lines.join('\n') : tr("Workers, tools, GPU and disk are as they should be"));
}

void AbilityButton::changeEvent(QEvent *event) {
  QToolButton::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refresh();
}

} // namespace tessera::views
