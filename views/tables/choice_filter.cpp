// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/choice_filter.h"

#include "views/tables/choice_model.h"

namespace tessera::views {

bool ChoiceFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  return sourceModel()->index(row, 0, parent).data(ChoiceModel::TypedRole).toBool() ||
         QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

} // namespace tessera::views
