// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/measure/run_inputs.h"
#include "engine/pipeline/pipeline.h"

#include <QAbstractTableModel>

#include <vector>

namespace tessera::views {

// The data that schedules run on: for each input a file or random numbers, for each scalar a
// number. The user chooses a file by typing its path or dropping it on a row, and a number by
// typing it. The model only emits signals; their receiver decides whether to make the change.
class InputModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Type, Size, RunsOn, ColumnCount };
  enum DataRole { GivenRole = Qt::UserRole + 1 }; // bool: the input has a file

  explicit InputModel(QObject *parent = nullptr);

  void setPipeline(const pipeline::PipelinePtr &pipeline); // null: none
  void setInputs(const measure::RunInputs &inputs);

  QString nameAt(int row) const;
  QString pathAt(int row) const;         // empty: random numbers
  bool takesFile(int row) const;         // false for a scalar
  int rowOf(const QString &input) const; // -1: there is no such input

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  QStringList mimeTypes() const override;
  bool canDropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                       const QModelIndex &parent) const override;
  bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                    const QModelIndex &parent) override;

signals:
  void wished(const QString &input, const QString &path); // empty path: random numbers
  // `number` fits the scalar's type.
  void numberWished(const QString &scalar, const QString &number);
  void refused(const QString &why);

private:
  struct Row {
    QString name, type, size, value; // `value` is that of a scalar
    bool isScalar = false;
    pipeline::ScalarType scalarType;
    bool isChanged = false; // the user has chosen this scalar's number
  };
  QString toolTipAt(int row) const;

  std::vector<Row> m_rows;
  measure::RunInputs m_inputs;
};

} // namespace tessera::views
