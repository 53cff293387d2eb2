// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/different_filter.h"

namespace tessera::views {

DifferentFilter::DifferentFilter(int role, QObject *parent)
    : QSortFilterProxyModel(parent), m_role(role) {}

void DifferentFilter::setOnlyDifferent(bool only) {
  m_onlyDifferent = only;
  invalidateFilter();
}

bool DifferentFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  if (!QSortFilterProxyModel::filterAcceptsRow(row, parent)) return false;
  return !m_onlyDifferent || sourceModel()->index(row, 0, parent).data(m_role).toBool();
}

} // namespace tessera::views
