// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"
#include "views/flows/shown_schedule.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The measurements of a document's candidates, a row each and the last of a candidate first, with
// the numbers that `tessera-cli bench` prints; behind them what verifying found, which has no time.
// A measurement that nobody checked has none either; what is of another pipeline or of other
// decisions says that it is stale.
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
    Program,
    ColumnCount
  };
  enum Role {
    SortRole = Qt::UserRole + 1,
    IdRole,      // qulonglong, of the candidate
    StaleRole,   // bool
    CheckedRole, // bool: its outputs were compared and equal
    CurrentRole, // bool: its decisions are the ones that are shown
    EarlierRole, // bool: it was measured again since
    WrongRole    // bool: its outputs are others
  };

  explicit MeasurementModel(QObject *parent = nullptr);

  void setDocument(const document::Document *document); // null: none; read at once, not kept
  void setCurrent(ShownSchedulePtr shown);              // null: none
  const document::CandidatePtr &candidateAt(int row) const {
    return m_rows[static_cast<std::size_t>(row)].candidate;
  }
  // Null: the row is of what verifying found.
  const measure::KeptMeasurement *measurementAt(int row) const {
    return m_rows[static_cast<std::size_t>(row)].measurement();
  }
  enum class Kind { Measured, Verified };
  std::optional<int> rowOf(std::uint64_t id, Kind kind = Kind::Measured) const; // of its last

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    document::CandidatePtr candidate; // has what the row is of
    Kind kind = Kind::Measured;
    std::size_t age = 0; // of measurements: 0: the last, 1: the one before it, …
    measure::Freshness freshness = measure::Freshness::Fresh;
    const measure::KeptMeasurement *measurement() const {
      if (kind == Kind::Verified) return nullptr;
      return age == 0 ? &*candidate->measurement : &candidate->earlier[age - 1];
    }
    friend bool operator==(const Row &, const Row &) = default;
  };
  std::optional<double> number(const Row &row, int column) const; // of a numeric column
  QString display(const Row &row, int column) const;
  QString measured(const Row &row, int column) const;
  QString verified(const Row &row, int column) const;
  QString toolTip(const Row &row, int column) const;
  QString measuredToolTip(const Row &row, int column) const;

  std::vector<Row> m_rows;
  ShownSchedulePtr m_current;
};

} // namespace tessera::views
