// SPDX-License-Identifier: MIT
// Makes rows of measured kernels, for experiments with corrections of the model.
//
//   xz -dc results/h200.jsonl.xz | kernel_rows [--machine NAME] [--assembled] [--pipelines DIR]…
//
// A line of output for each schedule that was measured: its pipeline, case and times in
// milliseconds, and of each kernel the stage that owns it, the measured and the predicted time and
// the features of engine/learn/kernel_features.h. The first line has the names of the features.

#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/learn/kernel_features.h"
#include "tests/campaigns/times/measured_line.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace tessera;

nlohmann::json rowOf(const tune::Measured &measured, const machine::Machine &machine,
                     bool assembled) {
  const cost::Prediction prediction =
      cost::predict(measured.schedule, machine,
                    assembled ? measured.compiled : std::vector<report::KernelReport>{});
  nlohmann::json row{{"pipeline", measured.pipeline},
                     {"case", measured.name},
                     {"ms", measured.milliseconds},
                     {"predicted", prediction.milliseconds()},
                     {"by_events", measured.byEvents}};
  for (const auto &[load, time] : prediction.kernels) {
    const std::string name = measured.schedule.pipeline()->stageName(load.stage);
    const auto found = measured.kernels.find(name);
    row["kernels"].push_back(
        {{"stage", name},
         {"ms", found == measured.kernels.end() ? nlohmann::json() : nlohmann::json(found->second)},
         {"predicted", time.seconds * 1e3},
         {"features",
          learn::kernelFeaturesOf(load, time, prediction.fromDram, assembled, machine)}});
  }
  return row;
}

} // namespace

int main(int argc, char **argv) {
  std::string name = host::kDefaultMachine;
  bool assembled = false;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--assembled")
      assembled = true;
    else if (argument == "--machine" && i + 1 < argc)
      name = argv[++i];
    else if (argument == "--pipelines" && i + 1 < argc)
      folders.emplace_back(argv[++i]);
  }
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  const host::ToolPaths tools = host::findTools(search);
  const auto machine = host::machineFor(name, tools);
  if (!machine) {
    std::fprintf(stderr, "%s\n", machine.error().message.c_str());
    return 2;
  }
  nlohmann::json names;
  for (std::size_t f = 0; f < learn::kKernelFeatures; ++f)
    names.push_back(learn::nameOfKernelFeature(f));
  std::cout << nlohmann::json{{"features", names}} << "\n";
  tune::MeasuredReader reader(tools, folders);
  for (std::string line; std::getline(std::cin, line);)
    if (const auto measured = times::measuredIn(reader, nlohmann::json::parse(line)))
      std::cout << rowOf(*measured, *machine, assembled) << "\n";
}
