// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/abilities.h"

#include <QPixmap>

class QPalette;

namespace tessera::views {

// How a state looks, and what it is called by who does not see it.
QPixmap markOf(Ability::State state, const QPalette &palette, double devicePixelRatio);
QString stateText(Ability::State state);

} // namespace tessera::views
