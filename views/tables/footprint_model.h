// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/footprint/kernel_footprint.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace tessera::views {

using KernelFootprintPtr = std::shared_ptr<const footprint::KernelFootprint>;

// What one tile of a kernel needs: a row for each func and input, with the numbers of
// `tessera-cli footprint`.
class FootprintModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Part, Memory, Box, Halo, Shared, Redundant, Bytes, ColumnCount };
  enum Role {
    NumberRole = Qt::UserRole + 1, // the number of a cell, as the command line prints it
    KindRole                       // int: footprint::Role
  };

  explicit FootprintModel(QObject *parent = nullptr);

  // Null: no kernel. If all rows have the same names as before, they are changed, not replaced.
  void show(KernelFootprintPtr kernel, footprint::Level level);
  const footprint::Entry &entry(int row) const {
    return m_kernel->entries[static_cast<std::size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString display(const footprint::Entry &entry, int column) const;
  QVariant number(const footprint::Entry &entry, int column) const;
  QString toolTip(const footprint::Entry &entry, int column) const;

  KernelFootprintPtr m_kernel;
  footprint::Level m_level = footprint::Level::Block;
};

QString roleText(footprint::Role role);
QString memoryText(const footprint::Entry &entry);
QString levelText(footprint::Level level);          // "Block"
QString extentText(const footprint::LevelBox &box); // "32 × 16"
// "y −2 +2": how far the box reaches beyond the tile. "i whole": the index depends on data, so the
// whole dimension is needed.
QString haloText(const footprint::Entry &entry, const footprint::LevelBox &box);
QString sharedText(const footprint::LevelBox &box); // "33.3 %" or "1,024 tiles"

} // namespace tessera::views
