// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/palette_model.h"

#include <QString>

#include <vector>

class QDockWidget;

namespace tessera::views {

class MainWindow;

// All that the palette offers now: the actions of the menus and of the docks, docks to go to,
// candidates to load, stages and inputs to select.
std::vector<PaletteEntry> paletteEntries(MainWindow &window);

// The name of the action that goes to a dock.
QString goToName(const QDockWidget &dock);

} // namespace tessera::views
