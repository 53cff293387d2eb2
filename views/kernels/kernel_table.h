// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_kernels.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace tessera::views {

// A table with a row a kernel, in the order of their launches, over the shared selection: choosing
// a row selects the stages that the kernel computes, and the row of the current kernel is the one
// that is marked. Column 0 is the number, painted as the DAG does.
class KernelTable : public QTableView {
  Q_OBJECT
public:
  KernelTable(ShownKernels &kernels, QAbstractItemModel &model, int sortRole,
              QWidget *parent = nullptr);

  void refresh(); // the model has other rows

protected:
  void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
  void showCurrent();
  void chooseRow(const QModelIndex &index);

  ShownKernels &m_kernels;
  QSortFilterProxyModel m_proxy;
  bool m_following = false; // it takes over the shared selection: no wishes meanwhile
};

} // namespace tessera::views
