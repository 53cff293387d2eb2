// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QPolygonF>
#include <QRectF>

namespace tessera::views {

// The outline says what a node is, so that colour need not: an input is a pill, an output a box
// with pointed sides, a reduction a box with cut corners, everything else a box with round corners.
// Polygons, because they draw faster than paths.
QPolygonF nodeShape(StageKind kind, bool isOutput, const QRectF &rect);

} // namespace tessera::views
