// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/abilities.h"

#include <QPixmap>

class QPalette;

namespace tessera::views {

// The icon of a state, and its name for screen readers.
QPixmap markOf(Ability::State state, const QPalette &palette, double devicePixelRatio);
QString stateText(Ability::State state);

} // namespace tessera::views
