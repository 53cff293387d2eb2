// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"
#include "engine/pipeline/pipeline.h"

#include <QAbstractTableModel>

#include <vector>

namespace tessera::views {

// The interface of a pipeline: outputs, inputs and scalars, each with the size that all other
// numbers are based on. Sizes are edited in place, in the command line's spelling. They count as
// changes until the pipeline is opened with them.
class InterfaceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Role, Type, Size, Bytes, From, ColumnCount };
  enum DataRole { ChangedRole = Qt::UserRole + 1 };

  explicit InterfaceModel(QObject *parent = nullptr);

  void setPipeline(const pipeline::PipelinePtr &pipeline); // null: none
  void revertSizes();

  int changes() const;
  // The sizes that were changed by hand, in the form that an open request needs.
  std::vector<open::EstimateOverride> changed() const;
  // All sizes, in the form of --estimate. Entries without a size are left out.
  QStringList texts() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void edited();
  void refused(const QString &why);

private:
  struct Row {
    QString name, role, type, size, bytes, from;
    bool isFixed = false; // the pipeline accepts no other size
    std::size_t dims = 0; // 0: a scalar
    pipeline::ScalarType scalarType;
    QString wish;                      // what the user has typed; empty: unchanged
    open::EstimateOverride parsedWish; // `wish` as an estimate
  };
  std::vector<Row> m_rows;
};

// The source of an estimate as a text for the user.
QString sourceText(pipeline::EstimateSource source);
// Why a scalar cannot have the value that was typed.
QString noValueText(const QString &scalar, pipeline::ScalarType type, const QString &typed);

} // namespace tessera::views
