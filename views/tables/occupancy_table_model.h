// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/machine/occupancy.h"
#include "views/flows/shown_kernels.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>
#include <vector>

namespace tessera::views {

// How many blocks of each kernel fit on a multiprocessor. Each kernel has a row with the numbers of
// `tessera-cli occupancy`.
class OccupancyTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Number,
    Name,
    Fraction,
    Achieved, // only for kernels whose hardware counters were read
    Limiting,
    Threads,
    Registers,
    SharedBytes,
    Blocks,
    Warps,
    ColumnCount
  };
  enum Role {
    SortRole = Qt::UserRole + 1, // a number for numeric columns
    DifferentRole, // bool: the row or cell differs from the schedule that it is compared with
  };

  explicit OccupancyTableModel(const ShownKernels &kernels, QObject *parent = nullptr);

  void reload();            // reads the current state of ShownKernels
  bool hasAchieved() const; // hardware counters exist for some kernel
  // Cells that differ from the kernel of the same name in ShownKernels::before() then have both
  // values: "256 ≠ 128", the own one first.
  void setCompares(bool compares);

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    QString name, threads;
    bool isAssembled = false; // its register count is from ptxas
    machine::BlockUse use;
    machine::Occupancy occupancy;
    std::optional<double> achieved; // measured by hardware counters
  };
  QVariant sortKey(int row, int column) const;
  static QString textOf(const Row &kernel, int column);
  QString display(int row, int column) const;
  QString registersTip(int row) const;
  bool isDifferent(int row, int column) const;
  static Row rowOf(const ShownSchedule &shown, const cost::Prediction::Kernel &kernel,
                   const machine::Machine &machine);

  const ShownKernels &m_kernels;
  std::vector<Row> m_rows;
  bool m_compares = false;
  std::map<QString, Row> m_others; // the kernels that are compared with, by name
};

// The resources that a block of a kernel uses. The register count is from ptxas if known, else the
// model's estimate.
machine::BlockUse blockUse(const ShownKernels &kernels, int number);
// A sentence without its end about values that a thread keeps in local memory for want of
// registers; empty: there are none. It is from ptxas if known, else the model's estimate.
QString spillText(const ShownKernels &kernels, int number);
QString resourceText(machine::Resource resource);
QString percentText(double fraction); // "37.5 %"

} // namespace tessera::views
