// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>

namespace tessera::views {

// A table as text, as it is shown: sorted and filtered, with its column heads.
QString csvOf(const QAbstractItemModel &table);      // RFC 4180, lines end in \n
QString markdownOf(const QAbstractItemModel &table); // a pipe table

} // namespace tessera::views
