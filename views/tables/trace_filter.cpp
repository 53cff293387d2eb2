// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/trace_filter.h"

#include "views/tables/trace_model.h"

namespace tessera::views {

TraceFilter::TraceFilter(QObject *parent) : QSortFilterProxyModel(parent) {
  setSortRole(TraceModel::SortRole);
  setFilterKeyColumn(-1);
  setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void TraceFilter::setOutcome(std::optional<search::TraceOutcome> outcome) {
  if (outcome == m_outcome) return;
  m_outcome = outcome;
  invalidateFilter();
}

bool TraceFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  if (m_outcome && sourceModel()->index(row, 0, parent).data(TraceModel::OutcomeRole).toInt() !=
                       static_cast<int>(*m_outcome))
    return false;
  return QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

} // namespace tessera::views
