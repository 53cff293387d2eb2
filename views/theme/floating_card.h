// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QPalette;
class QRectF;

namespace tessera::views {

// Paints a floating card: rounded, with a soft shadow that is `shadow` pixels wide.
void paintFloatingCard(QPainter &painter, const QRectF &card, int shadow, const QPalette &palette);

} // namespace tessera::views
