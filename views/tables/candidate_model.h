// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"
#include "views/flows/candidate_predictions.h"
#include "views/flows/shown_schedule.h"

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
    PinRole,         // int of document::Pin
    CurrentRole,     // bool: its decisions are the ones that are current
    QuarantinedRole, // bool
    StaleRole,       // bool: its measurement is of another pipeline or other decisions
    CheckStaleRole,  // bool: the same of what Checked says
    WrongRole,       // bool: its outputs were found to be others
    ElsewhereRole    // bool: its prediction is of another machine than the one that is chosen
  };

  explicit CandidateModel(QObject *parent = nullptr);

  // `now` tells which measurements and verifications are stale, by anything but their schedule.
  void setCandidates(std::vector<document::CandidatePtr> candidates,
                     const measure::Basis &now = {});
  void setCurrent(ShownSchedulePtr shown); // that others are relative to; null: none
  // Of the machine that is chosen; null: what each was found with.
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
  // On the machine that is chosen; none: not known yet.
  std::optional<CandidatePredictions::Prediction>
  predicted(const document::KeptCandidate &candidate) const;
  std::optional<double> relative(const document::KeptCandidate &candidate) const;
  bool isCurrent(const document::KeptCandidate &candidate) const;
  bool isFresh(const document::KeptCandidate &candidate, const measure::Basis &found) const;
  bool isStale(const document::KeptCandidate &candidate) const;
  struct Check { // what is known of its outputs
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
