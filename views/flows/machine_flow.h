// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/machine_service.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <vector>

namespace tessera::views {

// The GPUs to choose from, and copies of them for what-if questions. A copy is kept like any other
// machine of the user, so the command line gives the same answers for it.
//
//   change() ── in memory ──▶ save, on a thread, one after the other ──▶ changed(name)
class MachineFlow : public QObject {
  Q_OBJECT
public:
  MachineFlow(MachineService service, Bridge &bridge, QObject *parent = nullptr);

  void load();
  const std::vector<machine::Machine> &machines() const { return m_machines; }
  const machine::Machine *find(const QString &name) const; // null: there is none

  // Changes one parameter; `field` is its name in machine files. If the machine is not a copy, its
  // copy is changed instead, and made if there is none. told() reports why a value was refused.
  void change(const QString &name, const QString &field, double value);
  void reset(const QString &name, const QString &field); // sets the value of the original
  void discard(const QString &name);                     // deletes a copy

signals:
  void listChanged();
  void changed(const QString &name); // predictions for this machine now use its new parameters
  void discarded(const QString &name, const QString &original);
  void told(const QString &what);

private:
  void keep(const machine::Machine &machine);
  void queue(std::function<Status()> write, std::function<void()> then);
  void writeNext();

  struct Write {
    std::function<Status()> write;
    std::function<void()> then;
  };
  MachineService m_service;
  Bridge &m_bridge;
  std::vector<machine::Machine> m_machines; // sorted by name
  std::deque<Write> m_writes;               // the first one is being written
};

} // namespace tessera::views
