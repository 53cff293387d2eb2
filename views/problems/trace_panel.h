// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/schedule_flow.h"
#include "views/flows/selection.h"
#include "views/tables/trace_filter.h"
#include "views/tables/trace_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace tessera::views {

// What the last search decided and tried. Selecting rows selects their funcs in all panels.
class TracePanel : public QWidget {
  Q_OBJECT
public:
  TracePanel(ScheduleFlow &schedule, Selection &selection, QWidget *parent = nullptr);

  QTableView &table() { return *m_table; }
  QLineEdit &filterLine() { return *m_filter; }
  QComboBox &outcomes() { return *m_outcomes; }
  QString countText() const;

signals:
  void told(const QString &message); // the table could not be saved

private:
  void buildTable();
  void follow(ScheduleFlow &schedule);
  void showTrace(TracePtr trace, pipeline::PipelinePtr pipeline);
  void selectFuncs();
  void updateCount();

  Selection &m_selection;
  TraceModel m_model;
  TraceFilter m_proxy;
  QLineEdit *m_filter = nullptr;
  QComboBox *m_outcomes = nullptr;
  QLabel *m_count = nullptr;
  QTableView *m_table = nullptr;
};

} // namespace tessera::views
