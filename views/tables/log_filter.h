// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"

#include <QSortFilterProxyModel>

namespace tessera::views {

// Filters the log: lines of one kind, lines with errors or warnings, lines that contain given words
// in themselves or in their details. A line that passes keeps all its details.
class LogFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit LogFilter(LogModel &log, QObject *parent = nullptr);

  void setKind(std::optional<LogLine::Kind> kind); // none: all kinds
  void setTroubleOnly(bool only);                  // errors and warnings
  void setWords(const QString &words);             // all words have to match, in any order and case

  QString text() const; // the visible lines as they are saved

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  std::optional<LogLine::Kind> m_kind;
  bool m_troubleOnly = false;
  QStringList m_words;
};

} // namespace tessera::views
