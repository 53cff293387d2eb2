// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/open/open.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QTableWidget;

namespace tessera::views {

// Rows of name and value in the command line's spelling: "0:1536, 0:2560", or the value of a
// scalar.
class EstimateForm : public QWidget {
  Q_OBJECT
public:
  explicit EstimateForm(QWidget *parent = nullptr);

  // Rows of estimates that an error asks for, with their values to begin with.
  void setAsked(const std::vector<Asked> &asked);
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
