// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/machine/machine.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The numbers of a GPU, each with where it is from, and with what it was where this is a copy to
// change. Values are edited in place: the model asks, and somebody else does it.
class MachineModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { What, Value, Original, Source, ColumnCount };
  enum Role { FieldRole = Qt::UserRole + 1, ChangedRole };

  explicit MachineModel(QObject *parent = nullptr);

  // `original` is what a copy was made of. None: nothing is known.
  void setMachine(std::optional<machine::Machine> machine,
                  std::optional<machine::Machine> original);
  int changes() const; // against the original

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
    std::optional<double> original; // where it is another
  };
  std::vector<Row> m_rows;
};

} // namespace tessera::views
