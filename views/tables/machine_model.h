// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/machine/machine.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The parameters of a GPU with their sources. If the GPU is a copy made for changing, each
// parameter also shows its original value. Values are edited in place: the model emits a signal,
// and its receiver makes the change.
class MachineModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { What, Value, Original, Source, ColumnCount };
  enum Role { FieldRole = Qt::UserRole + 1, ChangedRole };

  explicit MachineModel(QObject *parent = nullptr);

  // `original` is the machine that a copy was made of. Without `machine` the table is empty.
  void setMachine(std::optional<machine::Machine> machine,
                  std::optional<machine::Machine> original);
  int changes() const; // number of values that differ from the original

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void changeWanted(const QString &field, double value);
  void refused(const QString &why);

private:
  struct Row {
    QString field, what, unit, source;
    double value = 0;
    std::optional<double> original; // set where the original differs
  };
  std::vector<Row> m_rows;
};

} // namespace tessera::views
