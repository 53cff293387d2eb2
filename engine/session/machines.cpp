// SPDX-License-Identifier: MIT
#include "engine/session/machines.h"

#include "engine/machine/machine_json.h"
#include "engine/session/files.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace tessera::session {

namespace fs = std::filesystem;
using machine::Machine;

namespace {

constexpr std::string_view kSuffix = ".json";

Result<Machine> readMachine(const std::string &path) {
  const auto text = readFile(path);
  if (!text) return text.error();
  return machine::machineFromJson(*text, "'" + path + "'");
}

std::vector<fs::path> filesIn(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == kSuffix) files.push_back(entry->path());
  std::ranges::sort(files);
  return files;
}

} // namespace

Machines findMachines(const ToolPaths &tools) {
  Machines machines;
  std::map<std::string, MachineFile> byName;
  for (const fs::path &folder : {fs::path(tools.machines), fs::path(tools.configDir) / "machines"})
    for (const fs::path &path : filesIn(folder)) {
      auto read = readMachine(path.string());
      if (!read) {
        machines.problems.push_back(read.error().message);
        continue;
      }
      const std::string name = read->name;
      byName[name] = {std::move(*read), path.string()};
    }
  for (auto &[name, file] : byName)
    machines.files.push_back(std::move(file));
  return machines;
}

Result<Machine> machineFor(const std::string &word, const ToolPaths &tools) {
  if (word.ends_with(kSuffix)) return readMachine(word);
  Machines machines = findMachines(tools);
  std::string known;
  for (MachineFile &file : machines.files) {
    if (file.machine.name == word) return std::move(file.machine);
    known += (known.empty() ? "" : ", ") + file.machine.name;
  }
  return Error{ErrorCode::Usage, "no machine is called '" + word + "'",
               "there are " + known + "; or name a .json file as in " + tools.machines};
}

} // namespace tessera::session
