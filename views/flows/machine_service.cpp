// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/machine_service.h"

#include "engine/host/machines.h"

#include <utility>

namespace tessera::views {

MachineService machineService(const host::ToolPaths &tools) {
  MachineService service;
  service.list = [tools] {
    std::vector<machine::Machine> machines;
    for (host::MachineFile &file : host::findMachines(tools).files)
      machines.push_back(std::move(file.machine));
    return machines;
  };
  service.save = [tools](const machine::Machine &machine) {
    return host::saveMachine(machine, tools);
  };
  service.remove = [tools](const std::string &name) { return host::removeMachine(name, tools); };
  return service;
}

} // namespace tessera::views
