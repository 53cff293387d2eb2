// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QString>

#include <optional>

namespace tessera::views {

// The change of sizes between two opens of the same file, as text for the undo menu: "levels = 4",
// "Size paper". None: nothing has changed, or more than the sizes.
std::optional<QString> sizeStep(const open::OpenRequest &before, const open::OpenRequest &after);

} // namespace tessera::views
