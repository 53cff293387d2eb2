// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace tessera::views {

// An icon from resources/icons (the SVG says "currentColor"). It always has the text colour of the
// program's palette, and follows when that changes.
QIcon icon(const QString &name);
QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio);

// The program's icon in its own colours.
QIcon applicationIcon();

// A text from resources/texts.
QByteArray resourceText(const QString &name);

} // namespace tessera::views
