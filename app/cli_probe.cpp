// SPDX-License-Identifier: MIT
#include "app/cli_probe.h"

#include "engine/bench/probed_machine.h"
#include "engine/host/machines.h"

#include <vector>

namespace tessera::app {

using machine::Machine;

namespace {

// Values that a GPU does not report are taken only from machines shipped with the program, not from
// machines that the user has probed.
std::vector<Machine> shippedMachines(const host::ToolPaths &tools) {
  std::vector<Machine> shipped;
  for (const auto &[machine, path] : host::findMachines(tools).files)
    if (path.starts_with(tools.machines)) shipped.push_back(machine);
  return shipped;
}

} // namespace

Result<Machine> machineOf(const bench::DeviceDescription &device, const host::ToolPaths &tools) {
  const std::vector<Machine> shipped = shippedMachines(tools);
  const Machine *base = bench::nearestMachine(device, shipped);
  if (!base)
    return Error{ErrorCode::System, "Tessera's own machine files are missing in " + tools.machines,
                 ""};
  return bench::probedMachine(device, *base);
}

} // namespace tessera::app
