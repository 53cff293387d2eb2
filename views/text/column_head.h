// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

namespace tessera::views {

// What a table says of a column: words, what they mean, and on which side its cells are.
struct ColumnHead {
  QString title, meaning;

  QVariant data(int role, Qt::Alignment side) const {
    if (role == Qt::DisplayRole) return title;
    if (role == Qt::ToolTipRole) return meaning;
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(side | Qt::AlignVCenter);
    return {};
  }
};

} // namespace tessera::views
