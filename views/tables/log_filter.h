// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"

#include <QSortFilterProxyModel>

namespace tessera::views {

// The lines of a log that somebody wants to see: of a kind, those that tell of trouble, those with
// a word in them or in their details. A line comes with all its details.
class LogFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit LogFilter(LogModel &log, QObject *parent = nullptr);

  void setKind(std::optional<LogLine::Kind> kind); // none: all
  void setTroubleOnly(bool only);                  // errors and warnings
  void setWords(const QString &words);             // all of them, in any order and case

  QString text() const; // of the lines that are seen, as they are saved

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  std::optional<LogLine::Kind> m_kind;
  bool m_troubleOnly = false;
  QStringList m_words;
};

} // namespace tessera::views
