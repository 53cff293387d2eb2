// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/kernel_service.h"

#include "engine/session/ceilings.h"
#include "engine/session/machines.h"

namespace tessera::views {

KernelService kernelService(const session::ToolPaths &tools) {
  KernelService service;
  service.machine = [tools](const std::string &name) -> Result<MachineFacts> {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    return MachineFacts{*machine, session::ceilingsFor(*machine, tools)};
  };
  return service;
}

} // namespace tessera::views
