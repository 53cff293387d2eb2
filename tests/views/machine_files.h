// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/machine_service.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tessera::views::test {

// The files of machines, as on a disk. Jobs of the bridge write them in threads of their own.
class MachineFiles {
public:
  void add(const machine::Machine &machine) {
    const std::lock_guard lock(m_mutex);
    m_files[machine.name] = machine;
  }
  void remove(const std::string &name) {
    const std::lock_guard lock(m_mutex);
    m_files.erase(name);
  }
  std::vector<machine::Machine> list() const {
    const std::lock_guard lock(m_mutex);
    std::vector<machine::Machine> all;
    for (const auto &[name, machine] : m_files)
      all.push_back(machine);
    return all;
  }
  std::optional<machine::Machine> find(const std::string &name) const {
    const std::lock_guard lock(m_mutex);
    const auto file = m_files.find(name);
    return file == m_files.end() ? std::nullopt : std::optional(file->second);
  }

private:
  mutable std::mutex m_mutex;
  std::map<std::string, machine::Machine> m_files;
};

// A machine without numbers of its own.
inline machine::Machine plainMachine(const std::string &name) {
  machine::Machine machine;
  machine.name = name;
  machine.title = "A " + name;
  return machine;
}

inline MachineService serviceOf(const std::shared_ptr<MachineFiles> &files) {
  MachineService service;
  service.list = [files] { return files->list(); };
  service.save = [files](const machine::Machine &machine) -> Status {
    files->add(machine);
    return Done{};
  };
  service.remove = [files](const std::string &name) -> Status {
    files->remove(name);
    return Done{};
  };
  return service;
}

} // namespace tessera::views::test
