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

// The GPUs that can be chosen, and copies of them to change: what would be if. A copy is a machine
// of the user's as any other, so that the command line says the same of it.
//
//   change() ── in memory ──▶ save, on a thread, one after the other ──▶ changed(name)
class MachineFlow : public QObject {
  Q_OBJECT
public:
  MachineFlow(MachineService service, Bridge &bridge, QObject *parent = nullptr);

  void load();
  const std::vector<machine::Machine> &machines() const { return m_machines; }
  const machine::Machine *find(const QString &name) const; // null: there is none

  // One number, by its name in files; of a machine that is no copy, one is made first. Refusals are
  // told.
  void change(const QString &name, const QString &field, double value);
  void reset(const QString &name, const QString &field); // as the original has it
  void discard(const QString &name);                     // a copy

signals:
  void listChanged();
  void changed(const QString &name); // it can be predicted with its new numbers
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
  std::vector<machine::Machine> m_machines; // by name
  std::deque<Write> m_writes;               // the first is under way
};

} // namespace tessera::views
