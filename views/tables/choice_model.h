// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/choices.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <map>

namespace tessera::views {

// What may be chosen next, with what our model says of it, as it is found; and what was measured,
// where a candidate is the same.
class ChoiceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Decision, Value, Predicted, Change, Measured, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1,
    FasterRole, // int: -1 slower, 0 as fast, 1 faster than what is current
  };

  explicit ChoiceModel(QObject *parent = nullptr);

  using MeasuredSeconds = std::map<std::uint64_t, double>; // by the schedule's hash

  void clear(double currentSeconds, MeasuredSeconds measured = {});
  bool knowsMeasured() const { return !m_measured.empty(); }
  void append(document::Choices choices);
  const document::Choice &choiceAt(int row) const {
    return m_choices[static_cast<std::size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  double changeOf(const document::Choice &choice) const; // part of what is current; 0: none

  document::Choices m_choices;
  double m_current = 0;
  MeasuredSeconds m_measured;
};

} // namespace tessera::views
