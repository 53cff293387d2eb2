// SPDX-License-Identifier: MIT
#include "app/cli_machine.h"

#include "app/cli_bench.h"
#include "app/cli_ceilings.h"
#include "app/cli_probe.h"
#include "app/cli_report.h"
#include "engine/bench/gpu_client.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/machine/fields.h"
#include "engine/machine/gpu_name.h"
#include "engine/machine/machine_json.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <memory>

namespace tessera::app {

using machine::Machine;
using nlohmann::ordered_json;

namespace {

struct ListOptions {
  std::string gpu; // empty: all GPUs
  bool json = false;
};

struct ShowOptions {
  std::string name;
  bool json = false;
};

struct ProbeOptions {
  std::string output, host;
  bool json = false;
};

constexpr std::chrono::seconds kProbeTime{60};

ReportStyle styleOf(bool json) { return json ? ReportStyle::Json : ReportStyle::Text; }

std::string capabilityText(const Machine &machine) {
  if (machine.major == 0) return "-";
  return std::to_string(machine.major) + "." + std::to_string(machine.minor);
}

int list(const ListOptions &options, const Invocation &invocation) {
  const host::Machines machines = host::findMachines(invocation.tools);
  auto array = ordered_json::array();
  for (const auto &[machine, path] : machines.files) {
    if (!options.gpu.empty() && !machine::isSameGpu(machine.title, options.gpu)) continue;
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

int print(const Machine &machine, bool asJson) {
  if (asJson) {
    std::cout << toJson(machine).dump(2) << "\n";
    return outputDone();
  }
  std::cout << machine.title << ", compute capability " << capabilityText(machine) << "\n";
  machine::forEachField(machine, [&](const char *name, const auto &value, const char *meaning) {
    std::cout << std::right << std::setw(14) << value << "  " << meaning << "\n                "
              << machine.sources.at(name) << "\n";
  });
  return outputDone();
}

int show(const ShowOptions &options, const Invocation &invocation) {
  const auto machine = host::machineFor(options.name, invocation.tools);
  if (!machine) return report(machine.error(), styleOf(options.json));
  return print(*machine, options.json);
}

Result<Machine> probed(const ProbeOptions &options, const host::ToolPaths &tools,
                       const std::stop_token &stop) {
  const auto gpu = startGpu(tools, options.host, stop);
  if (!gpu) return gpu.error();
  const auto device = (*gpu)->describe(kProbeTime, stop);
  if (device.outcome != Outcome::Ok) return errorOf(device.outcome, device.error);
  for (const std::string &absent : device.value.absent)
    std::cerr << "tessera-cli: not known: " << absent << "\n";
  return machineOf(device.value, tools);
}

int probe(const ProbeOptions &options, const Invocation &invocation) {
  const auto &[stop, tools] = invocation;
  const auto machine = probed(options, tools, stop);
  if (!machine) return report(machine.error(), styleOf(options.json));
  if (options.output.empty()) return print(*machine, options.json);
  const Status written = host::writeFile(options.output, toJson(*machine).dump(2) + "\n");
  if (!written) return report(written.error(), styleOf(options.json));
  std::cout << machine->title << ": written to " << options.output << "\n"
            << "Schedule for it with --machine " << options.output;
  if (!tools.configDir.empty())
    std::cout << ", or copy it to " << tools.configDir << "/machines and use its name, "
              << machine->name;
  std::cout << "\n";
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

void addMachine(CLI::App &cli, Command &run) {
  CLI::App *command = cli.add_subcommand("machine", "Show the GPUs that Tessera can schedule for");
  command->require_subcommand(1);
  CLI::App *all = command->add_subcommand("list", "List all known GPUs by name");
  const auto listing = std::make_shared<ListOptions>();
  all->add_option(
         "--gpu", listing->gpu,
         "List only the entries for this GPU, by the driver's name for it, such as \"NVIDIA H200\"")
      ->type_name("TITLE");
  all->add_flag("--json", listing->json, "Print JSON");
  all->callback([listing, &run] {
    run = [listing](const Invocation &invocation) { return list(*listing, invocation); };
  });
  CLI::App *one =
      command->add_subcommand("show", "Show the numbers of one GPU, each with its source");
  const auto showing = std::make_shared<ShowOptions>();
  one->add_option("NAME", showing->name, "A name from `machine list`, or a .json file")->required();
  one->add_flag("--json", showing->json, "Print JSON");
  one->callback([showing, &run] {
    run = [showing](const Invocation &invocation) { return show(*showing, invocation); };
  });
  const auto probing = std::make_shared<ProbeOptions>();
  CLI::App *local = command->add_subcommand(
      "probe", "Read the numbers of this machine's GPU; those that the GPU does not report are "
               "taken from the most similar known machine, and marked as such");
  local->add_option("-o,--output", probing->output, "Write the description to this file")
      ->type_name("FILE.json");
  addHostOption(*local, probing->host);
  local->add_flag("--json", probing->json, "Print JSON");
  local->callback([probing, &run] {
    run = [probing](const Invocation &invocation) { return probe(*probing, invocation); };
  });
  addCeilings(*command, run);
}

} // namespace tessera::app
