// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/block/stage_block.h"

#include <QAbstractTableModel>

#include <memory>

namespace tessera::views {

// The loads and stores of a stage, with the numbers of `tessera-cli block`: one row for each.
class AccessTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Number,
    Kind,
    Array,
    Memory,
    Requests,
    Sectors,
    Lines,
    Efficiency,
    Passes,
    ColumnCount
  };
  enum Role { SortRole = Qt::UserRole + 1 }; // a number for numeric columns

  explicit AccessTableModel(QObject *parent = nullptr) : QAbstractTableModel(parent) {}

  void setBlock(std::shared_ptr<const block::StageBlock> block); // null: none

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString display(int row, int column) const;
  QVariant sortKey(int row, int column) const;
  QString toolTip(int row) const;

  std::shared_ptr<const block::StageBlock> m_block;
};

QString memoryText(cost::MemorySpace space);
// A count that may be an average: "4", "4.88".
QString averageText(double count);

} // namespace tessera::views
