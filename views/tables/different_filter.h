// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace tessera::views {

// Passes the rows that match the filter text. setOnlyDifferent(true) drops those of them that equal
// what the table is compared with.
class DifferentFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  // `role` of the first cell in a row is a bool: the row differs.
  explicit DifferentFilter(int role, QObject *parent = nullptr);

  void setOnlyDifferent(bool only);
  bool isOnlyDifferent() const { return m_onlyDifferent; }

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  int m_role;
  bool m_onlyDifferent = false;
};

} // namespace tessera::views
