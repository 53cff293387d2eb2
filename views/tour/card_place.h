// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QSize>

namespace tessera::views {

// The place of a card that explains `target`: beside it, on the first side with enough room, and
// entirely inside `room`. If no side has enough room, it covers the middle of the target.
QRect cardPlace(const QRect &target, const QSize &card, const QRect &room);

} // namespace tessera::views
