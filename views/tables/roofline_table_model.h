// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/roofline/roofline.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// What limits each kernel. Each kernel has a row, in the order of the launches, with the numbers of
// `tessera-cli explain --roofline`.
class RooflineTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Number,
    Name,
    Time,
    Measured,
    Share,
    Binding,
    Reached,
    Dram,
    L2,
    Cache,
    Operations,
    ColumnCount
  };
  enum Role {
    SortRole = Qt::UserRole + 1, // a number for numeric columns
    DifferentRole, // bool: the row or cell differs from the schedule that it is compared with
  };

  explicit RooflineTableModel(QObject *parent = nullptr);

  // All kernels of the roofline have the same origin: either all are predicted, all counted in the
  // code or all measured. Null: there is no roofline. `measured` holds the measured time of each
  // kernel over all its launches; empty: nothing was measured. With `other`, a cell that differs
  // from that of the kernel of the same name in `other` has both values, its own one first: "12 µs
  // ≠ 15 µs".
  void setRoofline(std::shared_ptr<const cost::Roofline> roofline,
                   std::vector<std::optional<double>> measured = {},
                   std::shared_ptr<const cost::Roofline> other = nullptr);

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  const cost::Placed &kernel(int row) const;
  static double share(const cost::Roofline &roofline, const cost::Placed &placed);
  static QString textOf(const cost::Roofline &roofline, const cost::Placed &placed, int column);
  const cost::Placed *otherOf(int row) const; // null: the other has no kernel of that name
  QString display(int row, int column) const;
  bool isDifferent(int row, int column) const;
  QVariant sortKey(int row, int column) const;

  std::optional<double> measured(int row) const;

  std::shared_ptr<const cost::Roofline> m_roofline, m_other;
  std::vector<std::optional<double>> m_measured;
};

QString roofText(cost::Roof roof); // "DRAM", "FP32"

} // namespace tessera::views
