// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/machine_service.h"

#include "engine/session/machines.h"

#include <utility>

namespace tessera::views {

MachineService machineService(const session::ToolPaths &tools) {
  MachineService service;
  service.list = [tools] {
    std::vector<machine::Machine> machines;
    for (session::MachineFile &file : session::findMachines(tools).files)
      machines.push_back(std::move(file.machine));
    return machines;
  };
  service.save = [tools](const machine::Machine &machine) {
    return session::saveMachine(machine, tools);
  };
  service.remove = [tools](const std::string &name) { return session::removeMachine(name, tools); };
  return service;
}

} // namespace tessera::views
