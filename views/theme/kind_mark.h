// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QPixmap>
#include <QPointF>
#include <QRectF>

class QPainter;
class QPalette;

namespace tessera::views {

struct Colors;

// The small outline of a stage's kind for lists and legends, with the shape and colours of the DAG.
void paintKindMark(QPainter &painter, const QRectF &rect, StageKind kind, bool isOutput,
                   const QPalette &palette);
QPixmap kindMark(StageKind kind, bool isOutput, const QPalette &palette, double devicePixelRatio);

// The legend's mark for edges, which are wider the more bytes they carry.
QPixmap edgeMark(const QPalette &palette, double devicePixelRatio);

// The legend's marks for what a schedule adds: kernel hulls, costs, inlined nodes, added nodes.
QPixmap hullMark(const QPalette &palette, double devicePixelRatio);
QPixmap heatMark(const QPalette &palette, double devicePixelRatio);
QPixmap addedMark(const QPalette &palette, double devicePixelRatio);
QPixmap inlinedMark(const QPalette &palette, double devicePixelRatio);

// The mark of a func that a search froze for itself: a snowflake on a disc. What the user froze has
// a lock.
void paintFrozenMark(QPainter &painter, const QPointF &centre, double radius, const Colors &colors);
QPixmap frozenMark(const QPalette &palette, double devicePixelRatio);

} // namespace tessera::views
