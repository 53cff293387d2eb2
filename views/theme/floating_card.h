// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QPalette;
class QRectF;

namespace tessera::views {

// A card that lies over what it is about: rounded, with a soft shadow of so many pixels around it.
void paintFloatingCard(QPainter &painter, const QRectF &card, int shadow, const QPalette &palette);

} // namespace tessera::views
