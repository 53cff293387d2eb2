// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/selection.h"
#include "views/tables/different_filter.h"
#include "views/tables/stage_table_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace tessera::views {

// All stages and inputs as a table with a filter, sorting and selection. Pointing at a row also
// highlights its node in the DAG.
class StagePanel : public QWidget {
  Q_OBJECT
public:
  explicit StagePanel(Selection &selection, QWidget *parent = nullptr);

  void setPipeline(pipeline::PipelinePtr pipeline);
  void showSchedule(ShownSchedulePtr schedule);
  // The schedule that onlyDifferent() compares with; null: none.
  void setCompared(ShownSchedulePtr other, const QString &title);
  void showMeasured(std::vector<std::optional<double>> seconds); // indexed by kernel; empty: none

  QTableView &table() { return *m_table; }
  QLineEdit &filterLine() { return *m_filter; }
  QToolButton &onlyDifferent() { return *m_onlyDifferent; }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void tableSelectionChanged();
  void selectionChanged(Selection::Changes changes);
  void updateCount();
  void fitColumns(int first, int last);
  void compare();

  Selection &m_selection;
  StageTableModel m_model;
  DifferentFilter m_proxy{StageTableModel::DifferentRole};
  QLineEdit *m_filter = nullptr;
  QLabel *m_count = nullptr;
  QTableView *m_table = nullptr;
  QToolButton *m_onlyDifferent = nullptr;
  ShownSchedulePtr m_other;
  bool m_following = false; // the table follows the shared selection and must not change it
};

} // namespace tessera::views
