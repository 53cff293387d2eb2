// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_schedule.h"
#include "views/text/stage_summary.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// Every stage and input of a pipeline, one row each, in the order of computation.
class StageTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Name,
    Kind,
    Kernel,
    Predicted, // microseconds
    Measured,  // microseconds, if kernels were timed
    Type,
    Extents,
    Points,
    Operations,
    Loads,
    Bytes,
    ColumnCount
  };
  enum Role {
    SortRole = Qt::UserRole + 1, // a number for numeric columns
    KindRole,                    // StageKind as int
    OutputRole,                  // bool
    DifferentRole, // bool: another kernel or time than in the schedule that it is compared with
  };

  explicit StageTableModel(QObject *parent = nullptr);

  void setPipeline(pipeline::PipelinePtr pipeline);
  const ShownSchedulePtr &schedule() const { return m_schedule; } // null: there is none
  // The schedule has to belong to the model's pipeline. Null: the columns about the schedule stay
  // empty.
  void setSchedule(ShownSchedulePtr schedule);

  // Sets the schedule to compare with. The kernel and the predicted time then have both values
  // where they differ, the own one first: "2 ≠ 1". Null: nothing is compared.
  void setCompared(ShownSchedulePtr other);

  // The measured times of the kernels of the shown schedule, indexed by kernel number - 1; empty:
  // none.
  void setMeasured(std::vector<std::optional<double>> seconds);

  Subject subjectAt(int row) const { return m_rows[static_cast<std::size_t>(row)].subject; }
  std::optional<int> rowOf(Subject subject) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QVariant display(const StageSummary &row, int column) const;
  QVariant sortKey(const StageSummary &row, int position, int column) const;

  StagePlace placeOf(const StageSummary &row) const;
  static QString kernelText(const StagePlace &place);
  static QString predictedText(const StagePlace &place);
  QString both(const StageSummary &row, QString (*text)(const StagePlace &)) const;

  std::vector<StageSummary> m_rows;
  // The measured time of the kernel, at the stage that owns its blocks; none at other stages.
  std::optional<double> measured(const StagePlace &place) const;

  ShownSchedulePtr m_schedule, m_other;
  std::vector<std::optional<double>> m_measured;
};

} // namespace tessera::views
