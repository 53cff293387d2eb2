// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QPolygonF>
#include <QRectF>

namespace tessera::views {

// The outline shows the kind of a node, so that colour is not needed: an input is a pill, an output
// a box with pointed sides, a reduction a box with cut corners, everything else a box with round
// corners. The shapes are polygons because these draw faster than paths.
QPolygonF nodeShape(StageKind kind, bool isOutput, const QRectF &rect);

} // namespace tessera::views
