// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace tessera::views {

// Accepts the choices whose text contains what the user typed, and those whose value the engine
// read from the typed text (ChoiceModel::TypedRole).
class ChoiceFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
};

} // namespace tessera::views
