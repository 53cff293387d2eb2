// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/machine_flow.h"
#include "views/flows/schedule_flow.h"
#include "views/tables/machine_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace tessera::views {

// The parameters of the GPU that schedules are made for. Changing a parameter makes a copy of the
// GPU, whose name marks it as a copy, and predictions use the copy. The copy stays beside its
// original until it is discarded.
class MachinePage : public QWidget {
  Q_OBJECT
public:
  MachinePage(MachineFlow &machines, ScheduleFlow &schedule, Bridge &bridge,
              QWidget *parent = nullptr);

  void setMachine(const QString &name); // `name` is the chosen GPU
  MachineModel &model() { return m_model; }

signals:
  void machineWanted(const QString &name);

private:
  void buildTable();
  void connectAll();
  void fill();
  void showMachine();
  void compare();
  void changeValue(const QString &field, double value);
  void resetCurrent();
  void tell(const QString &what);

  MachineFlow &m_machines;
  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  MachineModel m_model;
  QSortFilterProxyModel m_proxy;
  QString m_name;
  QComboBox *m_choice = nullptr;
  QLineEdit *m_filter = nullptr;
  QTableView *m_table = nullptr;
  QLabel *m_state = nullptr, *m_times = nullptr, *m_note = nullptr;
  QPushButton *m_reset = nullptr, *m_discard = nullptr;
};

} // namespace tessera::views
