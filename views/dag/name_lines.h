// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

namespace tessera::views {

// Breaks a name into at most two lines that are at most `room` wide; `width` measures a text. The
// break is where a word of the name ends: after an underscore or a point, or before a capital
// letter. Of several such places, the one is chosen that makes the longer line shortest. If none
// makes both lines fit, the first line is filled, and the start of the second one is elided.
QStringList nameLines(const QString &name, double room,
                      const std::function<double(const QString &)> &width);

} // namespace tessera::views
