// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/search/trace.h"
#include "views/text/subject.h"

#include <QAbstractTableModel>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::views {

using TracePtr = std::shared_ptr<const search::Trace>;

// What a search decided and tried, one row each, in order.
class TraceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Step, Phase, What, Funcs, Cost, Benefit, Outcome, Why, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1, // a number for numeric columns
    OutcomeRole                  // search::TraceOutcome as int
  };

  explicit TraceModel(QObject *parent = nullptr);

  // The funcs of the rows are those of `pipeline`. Null: there is no trace.
  void setTrace(TracePtr trace, pipeline::PipelinePtr pipeline);
  const TracePtr &trace() const { return m_trace; }
  // The funcs of a row, without those that the search added.
  std::vector<Subject> subjectsAt(int row) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  const search::TraceRow &rowAt(int row) const {
    return m_trace->rows[static_cast<std::size_t>(row)];
  }
  bool hasTimes() const;
  QString display(int row, int column) const;
  QVariant sortKey(int row, int column) const;
  QString costText(const std::optional<double> &cost) const;

  TracePtr m_trace;
  std::map<std::string, Subject, std::less<>> m_subjects; // by the name of a func
};

QString outcomeText(search::TraceOutcome outcome);

} // namespace tessera::views
