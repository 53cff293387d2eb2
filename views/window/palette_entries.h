// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/palette_model.h"

#include <QString>

#include <vector>

class QDockWidget;

namespace tessera::views {

class MainWindow;

// Everything that the palette offers at this moment: the actions of menus and docks, the docks
// themselves, candidates to load, stages and inputs to select.
std::vector<PaletteEntry> paletteEntries(MainWindow &window);

// The object name of the action that goes to a dock.
QString goToName(const QDockWidget &dock);

} // namespace tessera::views
