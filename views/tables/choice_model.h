// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/choices.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <map>
#include <set>

namespace tessera::views {

// The choices that are offered to the user, with their predictions. They are added as they are
// found. If a measured candidate has the same schedule as a choice, its time is shown, too.
class ChoiceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Decision, Value, Predicted, Change, Measured, ColumnCount };
  enum Role {
    SortRole = Qt::UserRole + 1,
    FasterRole, // int: -1 slower than the current schedule, 0 as fast, 1 faster
    TypedRole,  // bool: the user typed this value
  };

  explicit ChoiceModel(QObject *parent = nullptr);

  using MeasuredSeconds = std::map<std::uint64_t, double>; // indexed by the schedule's hash

  void clear(double currentSeconds, MeasuredSeconds measured = {});
  bool knowsMeasured() const { return !m_measured.empty(); }
  void append(document::Choices choices); // forgets what was typed
  // The legal values that the user typed. Values that are not listed yet get a row, which stays
  // until another text is typed or choices are appended.
  void setTyped(document::Choices choices);
  // Does not count choices that were only typed.
  int listedCount() const { return int(m_choices.size() - m_added); }
  const document::Choice &choiceAt(int row) const {
    return m_choices[static_cast<std::size_t>(row)];
  }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  // The predicted change of time as a fraction of the current time; 0: no change.
  double changeOf(const document::Choice &choice) const;

  void forgetTyped();

  document::Choices m_choices; // the last m_added were typed
  std::size_t m_added = 0;
  std::set<std::size_t> m_meant; // listed rows whose value the user typed
  double m_current = 0;
  MeasuredSeconds m_measured;
};

} // namespace tessera::views
