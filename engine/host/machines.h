// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/tools.h"
#include "engine/base/result.h"
#include "engine/machine/machine.h"

#include <string>
#include <vector>

namespace tessera::host {

// The available descriptions of GPUs: those shipped with the program, and the user's own, which are
// NAME.json in the folder `machines` of the user's configuration. The user's own hide shipped ones
// of the same name.
struct MachineFile {
  machine::Machine machine;
  std::string path;
};

struct Machines {
  std::vector<MachineFile> files;    // sorted by name
  std::vector<std::string> problems; // files that contain no machine, as text for the user
};
Machines findMachines(const ToolPaths &tools);

// Finds a machine by name, or reads it from a file whose path ends in .json.
Result<machine::Machine> machineFor(const std::string &word, const ToolPaths &tools);

// Saves a machine among the user's own as NAME.json, and replaces one of the same name.
Status saveMachine(const machine::Machine &machine, const ToolPaths &tools);
// Removes one of the user's own machines. It is no error if there is none of this name.
Status removeMachine(const std::string &name, const ToolPaths &tools);

inline constexpr const char *kDefaultMachine = "h200";

} // namespace tessera::host
