// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QString>

#include <optional>

namespace tessera::views {

// What was done between two opens of the same file, for the menu: "levels = 4", "Size paper". None:
// nothing, or more than a change of sizes.
std::optional<QString> sizeStep(const open::OpenRequest &before, const open::OpenRequest &after);

} // namespace tessera::views
