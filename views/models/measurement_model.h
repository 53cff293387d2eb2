// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/document.h"
#include "views/models/shown_schedule.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The measurements of a document's candidates, a row each, with the numbers that
// `tessera-cli bench` prints. One that nobody checked has no times; one of another pipeline or of
// other decisions says that it is stale.
class MeasurementModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    Candidate,
    State,
    Median,
    Lower,
    Upper,
    Spread,
    Predicted,
    Ratio,
    Kernels,
    Gaps,
    Allocations,
    Checked,
    Machine,
    Driver,
    Clocks,
    Date,
    ColumnCount
  };
  enum Role {
    SortRole = Qt::UserRole + 1,
    IdRole,      // qulonglong, of the candidate
    StaleRole,   // bool
    CheckedRole, // bool: its outputs were compared and equal
    CurrentRole  // bool: its decisions are the ones that are shown
  };

  explicit MeasurementModel(QObject *parent = nullptr);

  void setDocument(const session::Document *document); // null: none; read at once, not kept
  void setCurrent(ShownSchedulePtr shown);             // null: none
  const session::CandidatePtr &candidateAt(int row) const {
    return m_rows[static_cast<std::size_t>(row)].candidate;
  }
  std::optional<int> rowOf(std::uint64_t id) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    session::CandidatePtr candidate; // has a measurement
    session::Freshness freshness = session::Freshness::Fresh;
    friend bool operator==(const Row &, const Row &) = default;
  };
  std::optional<double> number(const Row &row, int column) const; // of a numeric column
  QString display(const Row &row, int column) const;
  QString toolTip(const Row &row, int column) const;

  std::vector<Row> m_rows;
  ShownSchedulePtr m_current;
};

} // namespace tessera::views
