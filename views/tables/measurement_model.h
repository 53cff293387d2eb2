// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"
#include "views/flows/shown_schedule.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// For each candidate of a document, its measurements, one row each, the latest first, with the
// numbers that `tessera-cli bench` prints. After them comes the result of the candidate's
// verification, which has no time. A measurement whose outputs were not checked has no time either.
// Rows of another pipeline or of other decisions are marked as stale.
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
    IdRole,      // qulonglong; the candidate's id
    StaleRole,   // bool
    CheckedRole, // bool: its outputs were compared and are equal
    CurrentRole, // bool: its decisions are the shown ones
    EarlierRole, // bool: a later measurement of the same candidate exists
    WrongRole    // bool: this verification found wrong outputs
  };

  explicit MeasurementModel(QObject *parent = nullptr);

  // Null: none. The document is read during the call and not kept.
  void setDocument(const document::Document *document);
  void setCurrent(ShownSchedulePtr shown); // null: none
  const document::CandidatePtr &candidateAt(int row) const {
    return m_rows[static_cast<std::size_t>(row)].candidate;
  }
  // Null: the row is the result of a verification.
  const measure::KeptMeasurement *measurementAt(int row) const {
    return m_rows[static_cast<std::size_t>(row)].measurement();
  }
  enum class Kind { Measured, Verified };
  // The row of the candidate's latest measurement or verification.
  std::optional<int> rowOf(std::uint64_t id, Kind kind = Kind::Measured) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Row {
    document::CandidatePtr candidate; // owns the measurement or verification of this row
    Kind kind = Kind::Measured;
    std::size_t age = 0; // measurements only: 0 is the candidate's latest, 1 the one before, …
    measure::Freshness freshness = measure::Freshness::Fresh;
    const measure::KeptMeasurement *measurement() const {
      if (kind == Kind::Verified) return nullptr;
      return age == 0 ? &*candidate->measurement : &candidate->earlier[age - 1];
    }
    friend bool operator==(const Row &, const Row &) = default;
  };
  std::optional<double> number(const Row &row, int column) const; // only for numeric columns
  QString display(const Row &row, int column) const;
  QString measured(const Row &row, int column) const;
  QString verified(const Row &row, int column) const;
  QString toolTip(const Row &row, int column) const;
  QString measuredToolTip(const Row &row, int column) const;

  std::vector<Row> m_rows;
  ShownSchedulePtr m_current;
};

} // namespace tessera::views
