// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/trace.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace tessera::views {

// Passes the rows of a TraceModel that match the filter text and have the wanted outcome.
class TraceFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit TraceFilter(QObject *parent = nullptr);

  void setOutcome(std::optional<search::TraceOutcome> outcome); // none: all

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  std::optional<search::TraceOutcome> m_outcome;
};

} // namespace tessera::views
