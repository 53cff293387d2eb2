// SPDX-License-Identifier: MIT
#include "app/cli_ceilings.h"

#include "app/cli_bench.h"
#include "app/cli_report.h"
#include "app/cli_table.h"
#include "engine/chart/quantity_text.h"
#include "engine/host/ceilings.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace tessera::app {

using bench::CeilingRate;
using bench::GpuAnswer;
using bench::MeasuredCeilings;

namespace {

struct CeilingsOptions {
  std::string host;
  bool again = false, json = false;
};

constexpr std::chrono::seconds kTime{60};

GpuAnswer<MeasuredCeilings> measured(bench::GpuClient &gpu, const host::ToolPaths &tools,
                                     const std::stop_token &stop) {
  auto answer = gpu.ceilings(kTime, stop, terminalProgress());
  clearProgress();
  if (answer.outcome != Outcome::Ok) return answer;
  if (const Status kept = host::keepCeilings(answer.value, tools); !kept)
    std::cerr << "tessera-cli: the ceilings could not be saved: " << kept.error().message << "\n";
  return answer;
}

void print(const MeasuredCeilings &ceilings) {
  std::cout << ceilings.machine << ", driver "
            << (ceilings.driver.empty() ? "unknown" : ceilings.driver) << ", measured "
            << ceilings.date << " in " << chart::timeText(ceilings.seconds);
  if (ceilings.after.multiprocessorMhz > 0)
    std::cout << ", at " << ceilings.before.multiprocessorMhz << " to "
              << ceilings.after.multiprocessorMhz << " MHz, memory " << ceilings.after.memoryMhz
              << " MHz";
  for (const std::string &reason : ceilings.after.throttled)
    std::cout << ", throttled: " << reason;
  std::cout << "\n";
  using enum Table::Align;
  Table table{
      {{"rate"}, {"highest", Right}, {"median", Right}, {"memory", Right}, {"what was done"}}, {}};
  for (const CeilingRate &rate : ceilings.rates) {
    const std::string unit = rate.unit == "bytes"        ? "B/s"
                             : rate.unit == "operations" ? "op/s"
                                                         : "inst/s";
    table.rows.push_back(
        {rate.name, chart::withPrefix(rate.perSecond, unit.c_str()),
         chart::withPrefix(rate.medianPerSecond, unit.c_str()),
         rate.workingSet > 0 ? std::to_string(rate.workingSet / 1024) + " KiB" : "-", rate.label});
  }
  std::cout << table;
}

int ceilings(const CeilingsOptions &options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  const auto &[stop, tools] = invocation;
  const auto gpu = startGpu(tools, options.host, stop);
  if (!gpu) return report(gpu.error(), style);
  const auto answer =
      options.again ? measured(**gpu, tools, stop) : ceilingsOfGpu(**gpu, tools, stop);
  if (answer.outcome != Outcome::Ok) return report(errorOf(answer.outcome, answer.error), style);
  if (options.json)
    std::cout << toJson(answer.value).dump(2) << "\n";
  else
    print(answer.value);
  return outputDone();
}

} // namespace

GpuAnswer<MeasuredCeilings> ceilingsOfGpu(bench::GpuClient &gpu, const host::ToolPaths &tools,
                                          const std::stop_token &stop) {
  const auto device = gpu.describe(kTime, stop);
  if (device.outcome != Outcome::Ok) return {device.outcome, {}, device.error};
  if (auto kept = host::keptCeilings(device.value, tools))
    return {Outcome::Ok, std::move(*kept), {}};
  return measured(gpu, tools, stop);
}

void addCeilings(CLI::App &machine, Command &run) {
  const auto options = std::make_shared<CeilingsOptions>();
  CLI::App *command = machine.add_subcommand(
      "ceilings",
      "Show the highest rates that the GPU of this machine reaches: bandwidths of memory and "
      "caches, and operations by kind; they are measured once and kept for this GPU and driver");
  addHostOption(*command, options->host);
  command->add_flag("--again", options->again, "Measure the rates again, even if they were saved");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return ceilings(*options, invocation); };
  });
}

} // namespace tessera::app
