// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QSize>

namespace tessera::views {

// Where a card that speaks of a target stands: beside it, on the first side with room, and wholly
// inside of the room. Over the target's middle where no side has any.
QRect cardPlace(const QRect &target, const QSize &card, const QRect &room);

} // namespace tessera::views
