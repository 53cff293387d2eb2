// SPDX-License-Identifier: MIT
#include "app/cli_machine.h"

#include "app/cli_report.h"
#include "app/environment.h"
#include "engine/machine/fields.h"
#include "engine/machine/machine_json.h"
#include "engine/session/machines.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <memory>

namespace tessera::app {

using machine::Machine;
using nlohmann::ordered_json;

namespace {

struct MachineOptions {
  std::string name;
  bool json = false;
};

ReportStyle styleOf(bool json) { return json ? ReportStyle::Json : ReportStyle::Text; }

std::string capabilityText(const Machine &machine) {
  if (machine.major == 0) return "-";
  return std::to_string(machine.major) + "." + std::to_string(machine.minor);
}

int list(const MachineOptions &options) {
  const session::Machines machines = session::findMachines(session::findTools(toolSearch()));
  auto array = ordered_json::array();
  for (const auto &[machine, path] : machines.files) {
    if (options.json)
      array.push_back({{"name", machine.name},
                       {"title", machine.title},
                       {"compute_capability", capabilityText(machine)},
                       {"multiprocessors", machine.multiprocessors},
                       {"file", path}});
    else
      std::cout << std::left << std::setw(18) << machine.name << std::setw(30) << machine.title
                << std::right << std::setw(4) << capabilityText(machine) << std::setw(5)
                << machine.multiprocessors << " multiprocessors\n";
  }
  if (options.json) std::cout << ordered_json{{"machines", std::move(array)}}.dump(2) << "\n";
  for (const std::string &problem : machines.problems)
    std::cerr << "tessera-cli: " << problem << "\n";
  return outputDone();
}

int show(const MachineOptions &options) {
  const auto machine = session::machineFor(options.name, session::findTools(toolSearch()));
  if (!machine) return report(machine.error(), styleOf(options.json));
  if (options.json) {
    std::cout << toJson(*machine).dump(2) << "\n";
    return outputDone();
  }
  std::cout << machine->title << ", compute capability " << capabilityText(*machine) << "\n";
  machine::forEachField(*machine, [&](const char *name, const auto &value, const char *meaning) {
    std::cout << std::right << std::setw(14) << value << "  " << meaning << "\n                "
              << machine->sources.at(name) << "\n";
  });
  return outputDone();
}

} // namespace

void addMachineOption(CLI::App &command, std::string &machine) {
  command
      .add_option("--machine", machine,
                  "GPU to schedule for: a name from `machine list`, or a .json file")
      ->type_name("M")
      ->capture_default_str();
}

void addMachine(CLI::App &cli, std::function<int(std::stop_token)> &run) {
  const auto options = std::make_shared<MachineOptions>();
  CLI::App *command = cli.add_subcommand("machine", "The GPUs that can be scheduled for");
  command->require_subcommand(1);
  CLI::App *all = command->add_subcommand("list", "All that are known, by name");
  all->add_flag("--json", options->json, "Print JSON");
  all->callback([options, &run] { run = [options](std::stop_token) { return list(*options); }; });
  CLI::App *one = command->add_subcommand("show", "The numbers of one, each with its source");
  one->add_option("NAME", options->name, "A name from `machine list`, or a .json file")->required();
  one->add_flag("--json", options->json, "Print JSON");
  one->callback([options, &run] { run = [options](std::stop_token) { return show(*options); }; });
}

} // namespace tessera::app
