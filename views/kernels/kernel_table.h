// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_kernels.h"
#include "views/tables/different_filter.h"

#include <QTableView>

namespace tessera::views {

// A table with one row for each kernel, in the order of the launches, connected to the shared
// selection: choosing a row selects the stages that the kernel computes, and the current kernel's
// row is highlighted. Column 0 is the number, painted as in the DAG.
class KernelTable : public QTableView {
  Q_OBJECT
public:
  // `differentRole` of the first cell in a row is a bool: the kernel differs from that of the
  // compared schedule. -1: the model compares nothing.
  KernelTable(ShownKernels &kernels, QAbstractItemModel &model, int sortRole,
              int differentRole = -1, QWidget *parent = nullptr);

  void refresh(); // call when the model's rows have changed
  QAction *onlyDifferent() const { return m_onlyDifferent; } // null: nothing is compared

signals:
  void comparisonWanted(bool compares); // true: show the values of both schedules

protected:
  void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
  void offerComparison();
  void showCurrent();
  void chooseRow(const QModelIndex &index);

  ShownKernels &m_kernels;
  DifferentFilter m_proxy;
  QAction *m_onlyDifferent = nullptr;
  bool m_following = false; // the table follows the shared selection and must not change it
};

} // namespace tessera::views
