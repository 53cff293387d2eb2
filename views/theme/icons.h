// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

class QPalette;

namespace tessera::views {

// An icon of resources/icons, drawn in the palette's text colour ("currentColor" in the SVG).
QIcon icon(const QString &name, const QPalette &palette);
QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio);

// The program's own icon, in its own colours.
QIcon applicationIcon();

// A text of resources/texts.
QByteArray resourceText(const QString &name);

} // namespace tessera::views
