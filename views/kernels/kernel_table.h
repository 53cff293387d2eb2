// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_kernels.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace tessera::views {

// A table with one row for each kernel, in the order of the launches, connected to the shared
// selection: choosing a row selects the stages that the kernel computes, and the current kernel's
// row is highlighted. Column 0 is the number, painted as in the DAG.
class KernelTable : public QTableView {
  Q_OBJECT
public:
  KernelTable(ShownKernels &kernels, QAbstractItemModel &model, int sortRole,
              QWidget *parent = nullptr);

  void refresh(); // call when the model's rows have changed

protected:
  void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
  void showCurrent();
  void chooseRow(const QModelIndex &index);

  ShownKernels &m_kernels;
  QSortFilterProxyModel m_proxy;
  bool m_following = false; // the table follows the shared selection and must not change it
};

} // namespace tessera::views
