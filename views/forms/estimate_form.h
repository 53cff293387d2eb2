// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QTableWidget;

namespace tessera::views {

// The names that a message about missing estimates puts in quotes: what the form asks for first.
QStringList namesIn(const QString &message);

// Rows of name and value, in the command line's spelling: "0:1536, 0:2560", or a scalar's value.
class EstimateForm : public QWidget {
  Q_OBJECT
public:
  explicit EstimateForm(QWidget *parent = nullptr);

  void setNames(const QStringList &names);
  void setEstimates(const std::vector<open::EstimateOverride> &estimates);

  // What was entered; an error that names the row where it cannot be read.
  Result<std::vector<open::EstimateOverride>> estimates() const;
  void showError(const QString &message);

private:
  void addRow(const QString &name, const QString &value);

  QTableWidget *m_table = nullptr;
  QLabel *m_error = nullptr;
};

} // namespace tessera::views
