// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/choices.h"

#include <QAbstractTableModel>

namespace tessera::views {

// What may be chosen next, with what our model says of it, as it is found.
class ChoiceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Decision, Value, Predicted, Change, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1,
    FasterRole, // int: -1 slower, 0 as fast, 1 faster than what is current
  };

  explicit ChoiceModel(QObject *parent = nullptr);

  void clear(double currentSeconds);
  void append(session::Choices choices);
  const session::Choice &choiceAt(int row) const {
    return m_choices[static_cast<std::size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  double changeOf(const session::Choice &choice) const; // part of what is current; 0: none

  session::Choices m_choices;
  double m_current = 0;
};

} // namespace tessera::views
