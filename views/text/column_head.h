// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

namespace tessera::views {

// The head of a table column: its title, its tooltip and the alignment of its cells.
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
