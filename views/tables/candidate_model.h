// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"
#include "views/flows/candidate_predictions.h"
#include "views/flows/shown_schedule.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The candidates of a document in the order in which they were added, without the removed ones.
// Name and note are edited in place: the model emits a signal, and its receiver makes the change.
class CandidateModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Pin, Name, Origin, Predicted, Relative, Measured, Checked, Note, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1,
    IdRole,          // qulonglong
    PinRole,         // int of document::Pin
    CurrentRole,     // bool: its decisions are the current ones
    QuarantinedRole, // bool
    StaleRole,       // bool: it was measured with another pipeline or other decisions
    CheckStaleRole,  // bool: the result in the column Checked is stale, as in StaleRole
    WrongRole,       // bool: its outputs were found to be wrong
    ElsewhereRole    // bool: its prediction is for another machine than the chosen one
  };

  explicit CandidateModel(QObject *parent = nullptr);

  // A measurement or verification whose basis differs from `now` in anything but the schedule is
  // stale.
  void setCandidates(std::vector<document::CandidatePtr> candidates,
                     const measure::Basis &now = {});
  void setCurrent(ShownSchedulePtr shown); // the schedule that relative times refer to; null: none
  // Predictions for the chosen machine. Null: each candidate shows the prediction that was stored
  // with it.
  void setPredictions(const CandidatePredictions *predictions);
  void predictionsChanged();
  const document::CandidatePtr &candidateAt(int row) const {
    return m_candidates[static_cast<std::size_t>(row)];
  }
  std::optional<int> rowOf(std::uint64_t id) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  bool setData(const QModelIndex &index, const QVariant &value, int role) override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
  void renameWanted(quint64 id, const QString &name);
  void noteWanted(quint64 id, const QString &note);

private:
  QString display(const document::KeptCandidate &candidate, int column) const;
  QVariant sortKey(const document::KeptCandidate &candidate, int column) const;
  QString toolTip(const document::KeptCandidate &candidate, int column) const;
  // The prediction for the chosen machine; none: not known yet.
  std::optional<CandidatePredictions::Prediction>
  predicted(const document::KeptCandidate &candidate) const;
  std::optional<double> relative(const document::KeptCandidate &candidate) const;
  bool isCurrent(const document::KeptCandidate &candidate) const;
  bool isFresh(const document::KeptCandidate &candidate, const measure::Basis &found) const;
  bool isStale(const document::KeptCandidate &candidate) const;
  struct Check { // the result of comparing the candidate's outputs
    QString text;
    bool isStale = false, isWrong = false;
  };
  Check checkOf(const document::KeptCandidate &candidate) const;
  QString checkToolTip(const document::KeptCandidate &candidate) const;

  std::vector<document::CandidatePtr> m_candidates;
  const CandidatePredictions *m_predictions = nullptr;
  measure::Basis m_now;
  ShownSchedulePtr m_current;
};

QString originText(document::CandidateOrigin origin);

} // namespace tessera::views
