// SPDX-License-Identifier: MIT
#include "engine/host/machines.h"

#include "engine/host/files.h"
#include "engine/machine/machine_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

namespace tessera::host {

namespace fs = std::filesystem;
using machine::Machine;

namespace {

constexpr std::string_view kSuffix = ".json";

Result<Machine> readMachine(const std::string &path) {
  const auto text = readFile(path);
  if (!text) return text.error();
  return machine::machineFromJson(*text, path);
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

// Empty, and so without files, where there is no configuration.
fs::path ownFolder(const ToolPaths &tools) {
  return tools.configDir.empty() ? fs::path() : fs::path(tools.configDir) / "machines";
}

// The name becomes a file name, so it must not lead out of the folder.
Result<std::string> ownPath(const std::string &name, const ToolPaths &tools) {
  const bool isPlain =
      !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char letter) {
        return std::isalnum(letter) || letter == '-' || letter == '_' || letter == '.' ||
               letter == '+';
      });
  if (!isPlain)
    return Error{ErrorCode::Usage, "'" + name + "' is not a valid name of a machine.",
                 "Use letters, digits, '-', '_', '.' and '+'."};
  if (tools.configDir.empty())
    return Error{ErrorCode::System,
                 "The machine '" + name + "' cannot be kept: there is no folder for settings.",
                 "Set HOME to a folder of yours."};
  return (ownFolder(tools) / (name + std::string(kSuffix))).string();
}

} // namespace

Status saveMachine(const Machine &machine, const ToolPaths &tools) {
  const auto path = ownPath(machine.name, tools);
  if (!path) return path.error();
  return writeFile(*path, machine::toJson(machine).dump(2) + "\n");
}

Status removeMachine(const std::string &name, const ToolPaths &tools) {
  const auto path = ownPath(name, tools);
  if (!path) return path.error();
  std::error_code failed;
  fs::remove(*path, failed);
  if (failed)
    return Error{ErrorCode::System, "'" + *path + "' cannot be removed: " + failed.message(), {}};
  return Done{};
}

Machines findMachines(const ToolPaths &tools) {
  Machines machines;
  std::map<std::string, MachineFile> byName;
  for (const fs::path &folder : {fs::path(tools.machines), ownFolder(tools)})
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
  // This runs at every edit of a schedule, and reading all files takes a millisecond, so the likely
  // files come first. The user's own files precede the shipped ones; of several with the same name,
  // the last one wins, hence the reverse order. A shipped machine is in the file of its name.
  std::vector<fs::path> likely = filesIn(ownFolder(tools));
  std::ranges::reverse(likely);
  likely.push_back(fs::path(tools.machines) / (word + std::string(kSuffix)));
  for (const fs::path &path : likely)
    if (auto read = readMachine(path.string()); read && read->name == word) return read;
  Machines machines = findMachines(tools);
  std::string known;
  for (MachineFile &file : machines.files) {
    if (file.machine.name == word) return std::move(file.machine);
    known += (known.empty() ? "" : ", ") + file.machine.name;
  }
  return Error{ErrorCode::Usage, "no machine is called '" + word + "'",
               "known machines: " + known + "; or give a .json file like those in " +
                   tools.machines};
}

} // namespace tessera::host
