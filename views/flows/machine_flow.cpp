// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/machine_flow.h"

#include "engine/machine/what_if.h"
#include "views/text/error_text.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

using machine::Machine;

MachineFlow::MachineFlow(MachineService service, Bridge &bridge, QObject *parent)
    : QObject(parent), m_service(std::move(service)), m_bridge(bridge) {}

void MachineFlow::load() {
  if (!m_service.list) return;
  m_bridge.run<std::vector<Machine>>(
      QStringLiteral("machines"), {},
      [list = m_service.list](const job::JobContext &) -> Result<std::vector<Machine>> {
        return list();
      },
      this,
      [this](Result<std::vector<Machine>> machines) {
        if (!machines) return;
        m_machines = std::move(*machines);
        emit listChanged();
      });
}

const Machine *MachineFlow::find(const QString &name) const {
  const auto found = std::ranges::find(m_machines, name.toStdString(), &Machine::name);
  return found == m_machines.end() ? nullptr : &*found;
}

void MachineFlow::change(const QString &name, const QString &field, double value) {
  const Machine *of = find(name);
  if (!of) return;
  // If a what-if copy of the machine exists already, the change is made to that copy.
  Machine copy = machine::whatIfOf(*of);
  if (const Machine *known = find(QString::fromStdString(copy.name))) copy = *known;
  auto changed = machine::withValue(std::move(copy), field.toStdString(), value);
  if (!changed) return emit told(errorText(changed.error()));
  keep(*changed);
}

void MachineFlow::reset(const QString &name, const QString &field) {
  const Machine *copy = find(name);
  const auto original = machine::originalOf(name.toStdString());
  const Machine *of = original ? find(QString::fromStdString(*original)) : nullptr;
  if (copy && of) keep(machine::withValueOf(*copy, field.toStdString(), *of));
}

void MachineFlow::discard(const QString &name) {
  const auto original = machine::originalOf(name.toStdString());
  if (!original || !find(name) || !m_service.remove) return;
  std::erase_if(m_machines, [&](const Machine &one) { return one.name == name.toStdString(); });
  emit listChanged();
  emit discarded(name, QString::fromStdString(*original));
  queue([remove = m_service.remove, gone = name.toStdString()] { return remove(gone); }, {});
}

void MachineFlow::keep(const Machine &machine) {
  if (!m_service.save) return;
  const QString name = QString::fromStdString(machine.name);
  const auto place = std::ranges::lower_bound(m_machines, machine.name, {}, &Machine::name);
  const bool isNew = place == m_machines.end() || place->name != machine.name;
  if (isNew)
    m_machines.insert(place, machine);
  else
    *place = machine;
  if (isNew) emit listChanged();
  queue([save = m_service.save, machine] { return save(machine); },
        [this, name] { emit changed(name); });
}

// The writes run one after the other, so that a later write of a file never runs before an earlier
// one.
void MachineFlow::queue(std::function<Status()> write, std::function<void()> then) {
  m_writes.push_back({std::move(write), std::move(then)});
  if (m_writes.size() == 1) writeNext();
}

void MachineFlow::writeNext() {
  m_bridge.run<Done>(
      QStringLiteral("machine file"), {},
      [write = m_writes.front().write](const job::JobContext &) { return write(); }, this,
      [this](const Status &done) {
        const auto then = std::move(m_writes.front().then);
        m_writes.pop_front();
        if (!done)
          emit told(QString::fromStdString(done.error().message));
        else if (then)
          then();
        if (!m_writes.empty()) writeNext();
      });
}

} // namespace tessera::views
