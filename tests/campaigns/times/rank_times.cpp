// SPDX-License-Identifier: MIT
// Measures how well the cost model ranks schedules whose times are known. Needs no GPU.
//
//   xz -dc results/h200.jsonl.xz | rank_times [--machine NAME] [--least COEFFICIENT] [--kernels]
//                                             [--assembled]
//
// Each line of the input is one of time_bundles. Prints a line per sample: Spearman's coefficient
// between predicted and measured times, how much slower the best of the five schedules with the
// lowest prediction is than the best of all, and how far a prediction is off. --kernels adds a line
// per kernel. With --assembled, the model uses what ptxas reported for each kernel. The exit status
// is not 0 where a sample's coefficient is below the least.

#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/learn/ranking.h"
#include "tests/campaigns/times/measured_line.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace tessera;

struct Options {
  std::string machine = host::kDefaultMachine;
  double least = -1;
  bool kernels = false, assembled = false;
};

struct Times {
  std::vector<double> predicted, measured; // in milliseconds
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

class Ranking {
public:
  Ranking(const host::ToolPaths &tools, machine::Machine machine, const Options &options)
      : m_reader(tools), m_machine(std::move(machine)), m_kernels(options.kernels),
        m_assembled(options.assembled) {}

  void add(const nlohmann::json &line) {
    const auto measured = times::measuredIn(m_reader, line);
    if (!measured) return;
    const cost::Prediction prediction =
        cost::predict(measured->schedule, m_machine,
                      m_assembled ? measured->compiled : std::vector<report::KernelReport>{});
    m_times[measured->pipeline].predicted.push_back(prediction.milliseconds());
    m_times[measured->pipeline].measured.push_back(measured->milliseconds);
    if (m_kernels) print(*measured, prediction);
  }

  bool isAtLeast(double least) const {
    bool all = true;
    for (const auto &[name, times] : m_times) {
      if (times.predicted.size() < 2) continue;
      std::vector<double> off;
      for (std::size_t i = 0; i < times.predicted.size(); ++i)
        off.push_back(times.predicted[i] / times.measured[i]);
      const double coefficient = learn::rankCorrelation(times.predicted, times.measured);
      std::printf("%-18s %4zu schedules  Spearman %.3f  best of five %.2f  predicted/measured, "
                  "median %.2f\n",
                  name.c_str(), off.size(), coefficient,
                  learn::bestOf(5, times.predicted, times.measured), median(off));
      all = all && coefficient >= least;
    }
    return all;
  }

private:
  static void print(const tune::Measured &measured, const cost::Prediction &prediction) {
    for (const auto &[load, time] : prediction.kernels) {
      const std::string name = measured.schedule.pipeline()->stageName(load.stage);
      std::printf("%s %s %s predicted %.4f limiter %s registers %d "
                  "spilled %.0f\n",
                  measured.pipeline.c_str(), measured.name.c_str(), name.c_str(),
                  time.seconds * 1e3, std::string(cost::name(time.limiter)).c_str(), time.registers,
                  time.spilled);
    }
  }

  tune::MeasuredReader m_reader;
  const machine::Machine m_machine;
  const bool m_kernels, m_assembled;
  std::map<std::string, Times> m_times;
};

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--kernels")
      options.kernels = true;
    else if (argument == "--assembled")
      options.assembled = true;
    else if (argument == "--machine" && i + 1 < argc)
      options.machine = argv[++i];
    else if (argument == "--least" && i + 1 < argc)
      options.least = std::strtod(argv[++i], nullptr);
  }
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  const host::ToolPaths tools = host::findTools(search);
  const auto machine = host::machineFor(options.machine, tools);
  if (!machine) {
    std::fprintf(stderr, "%s\n", machine.error().message.c_str());
    return 2;
  }
  Ranking ranking(tools, *machine, options);
  for (std::string line; std::getline(std::cin, line);)
    ranking.add(nlohmann::json::parse(line));
  return ranking.isAtLeast(options.least) ? 0 : 1;
}
