// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/document.h"
#include "views/models/candidate_predictions.h"
#include "views/models/shown_schedule.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace tessera::views {

// The candidates of a document, in the order in which they came; those that were removed are not
// there. Name and note are edited in place: the model asks, and somebody else does it.
class CandidateModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Pin, Name, Origin, Predicted, Relative, Measured, Checked, Note, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1,
    IdRole,          // qulonglong
    PinRole,         // int of session::Pin
    CurrentRole,     // bool: its decisions are the ones that are current
    QuarantinedRole, // bool
    StaleRole,       // bool: its measurement is of another pipeline or other decisions
    CheckStaleRole,  // bool: the same of what Checked says
    WrongRole,       // bool: its outputs were found to be others
    ElsewhereRole    // bool: its prediction is of another machine than the one that is chosen
  };

  explicit CandidateModel(QObject *parent = nullptr);

  // `now` tells which measurements and verifications are stale, by anything but their schedule.
  void setCandidates(std::vector<session::CandidatePtr> candidates, const session::Basis &now = {});
  void setCurrent(ShownSchedulePtr shown); // that others are relative to; null: none
  // Of the machine that is chosen; null: what each was found with.
  void setPredictions(const CandidatePredictions *predictions);
  void predictionsChanged();
  const session::CandidatePtr &candidateAt(int row) const {
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
  QString display(const session::KeptCandidate &candidate, int column) const;
  QVariant sortKey(const session::KeptCandidate &candidate, int column) const;
  QString toolTip(const session::KeptCandidate &candidate, int column) const;
  // On the machine that is chosen; none: not known yet.
  std::optional<CandidatePredictions::Prediction>
  predicted(const session::KeptCandidate &candidate) const;
  std::optional<double> relative(const session::KeptCandidate &candidate) const;
  bool isCurrent(const session::KeptCandidate &candidate) const;
  bool isFresh(const session::KeptCandidate &candidate, const session::Basis &found) const;
  bool isStale(const session::KeptCandidate &candidate) const;
  struct Check { // what is known of its outputs
    QString text;
    bool isStale = false, isWrong = false;
  };
  Check checkOf(const session::KeptCandidate &candidate) const;
  QString checkToolTip(const session::KeptCandidate &candidate) const;

  std::vector<session::CandidatePtr> m_candidates;
  const CandidatePredictions *m_predictions = nullptr;
  session::Basis m_now;
  ShownSchedulePtr m_current;
};

QString originText(session::CandidateOrigin origin);

} // namespace tessera::views
