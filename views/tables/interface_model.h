// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/open/open.h"

#include <QAbstractTableModel>

#include <vector>

namespace tessera::views {

// What a pipeline takes and gives: outputs, inputs, scalars, each with the size that everything is
// reckoned with. Sizes are edited in place, in the command line's spelling, and counted as changes
// until somebody opens the pipeline with them.
class InterfaceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Role, Type, Size, Bytes, From, ColumnCount };
  enum DataRole { ChangedRole = Qt::UserRole + 1 };

  explicit InterfaceModel(QObject *parent = nullptr);

  void setPipeline(const pipeline::PipelinePtr &pipeline); // null: none
  void revert();

  int changes() const;
  // What was changed by hand, as a request takes it.
  std::vector<open::EstimateOverride> changed() const;
  // All sizes, as for --estimate; what has none is left out.
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
    bool isFixed = false; // the pipeline takes no other
    std::size_t dims = 0; // 0: a scalar
    pipeline::ScalarType scalarType;
    QString wish;                      // empty: as it is
    open::EstimateOverride parsedWish; // of it
  };
  std::vector<Row> m_rows;
};

// Where an estimate is from, for a person.
QString sourceText(pipeline::EstimateSource source);
// Why a scalar cannot have what was typed.
QString noValueText(const QString &scalar, pipeline::ScalarType type, const QString &typed);

} // namespace tessera::views
