// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

namespace tessera::views {

// A name in one line, or in two of at most `room`, which is measured by `width`. The break is where
// a word of the name ends: after an underscore or a point, or before a capital letter. Of several
// such places it is the one that makes the longer line shortest. What does not fit is elided.
QStringList nameLines(const QString &name, double room,
                      const std::function<double(const QString &)> &width);

} // namespace tessera::views
