// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/run_profile.h"

#include <QAbstractTableModel>

#include <vector>

namespace tessera::views {

// The buffers that only the schedule's kernels use, and the kernels that need each of them.
class IntermediateModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Func, Bytes, Times, From, To, ColumnCount };
  enum Role { SortRole = Qt::UserRole + 1 }; // a number for numeric columns

  explicit IntermediateModel(QObject *parent = nullptr);

  void setIntermediates(std::vector<measure::RunProfile::Intermediate> intermediates);
  const measure::RunProfile::Intermediate &at(int row) const {
    return m_rows[static_cast<std::size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<measure::RunProfile::Intermediate> m_rows;
};

} // namespace tessera::views
