// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QPixmap>
#include <QRectF>

class QPainter;
class QPalette;

namespace tessera::views {

// The small outline that stands for a kind in lists and legends: the DAG's shape and colours.
void paintKindMark(QPainter &painter, const QRectF &rect, StageKind kind, bool isOutput,
                   const QPalette &palette);
QPixmap kindMark(StageKind kind, bool isOutput, const QPalette &palette, double devicePixelRatio);

// An edge, the wider the more it carries.
QPixmap edgeMark(const QPalette &palette, double devicePixelRatio);

// The same for what a schedule makes of nodes: kernels' hulls, what they cost, inlined, added.
QPixmap hullMark(const QPalette &palette, double devicePixelRatio);
QPixmap heatMark(const QPalette &palette, double devicePixelRatio);
QPixmap addedMark(const QPalette &palette, double devicePixelRatio);
QPixmap inlinedMark(const QPalette &palette, double devicePixelRatio);

} // namespace tessera::views
