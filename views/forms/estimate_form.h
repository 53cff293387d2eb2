// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QTableWidget;

namespace tessera::views {

// The names in quotes in a message about missing estimates. The form starts with a row for each.
QStringList namesIn(const QString &message);

// Rows of name and value in the command line's spelling: "0:1536, 0:2560", or the value of a
// scalar.
class EstimateForm : public QWidget {
  Q_OBJECT
public:
  explicit EstimateForm(QWidget *parent = nullptr);

  void setNames(const QStringList &names);
  void setEstimates(const std::vector<open::EstimateOverride> &estimates);

  // The entered estimates, or an error that names the row that cannot be read.
  Result<std::vector<open::EstimateOverride>> estimates() const;
  void showError(const QString &message);

private:
  void addRow(const QString &name, const QString &value);

  QTableWidget *m_table = nullptr;
  QLabel *m_error = nullptr;
};

} // namespace tessera::views
