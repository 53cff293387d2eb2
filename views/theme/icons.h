// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

class QPalette;

namespace tessera::views {

// An icon from resources/icons in the palette's text colour (the SVG says "currentColor").
QIcon icon(const QString &name, const QPalette &palette);
QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio);

// The program's icon in its own colours.
QIcon applicationIcon();

// A text from resources/texts.
QByteArray resourceText(const QString &name);

} // namespace tessera::views
