// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/host/tools.h"

#include <string>
#include <vector>

namespace tessera::host {

// The GPUs that can be chosen: those that ship with the program, and the user's own, NAME.json in
// the folder `machines` of his configuration. His hide ours of the same name.
struct MachineFile {
  machine::Machine machine;
  std::string path;
};

struct Machines {
  std::vector<MachineFile> files;    // by name
  std::vector<std::string> problems; // of files that are no machine, for a person
};
Machines findMachines(const ToolPaths &tools);

// By name, or by the path of a file that ends in .json.
Result<machine::Machine> machineFor(const std::string &word, const ToolPaths &tools);

// Keeps a machine among the user's own, as NAME.json; one of that name is replaced.
Status saveMachine(const machine::Machine &machine, const ToolPaths &tools);
// Of the user's own. What is not there is no error.
Status removeMachine(const std::string &name, const ToolPaths &tools);

inline constexpr const char *kDefaultMachine = "h200";

} // namespace tessera::host
