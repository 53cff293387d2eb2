// SPDX-License-Identifier: MIT
// Finds the constants of the cost model (TimeConstants) that fit measured kernels best. Needs no
// GPU.
//
//   xz -dc results/*.jsonl.xz | fit_times [--machine NAME] [--keep] [--only CONSTANT…] [--worst N]
//
// Each line of the input is one of time_bundles. The model uses the registers that ptxas reported
// for each kernel, so that errors of the estimated registers do not end up in other constants.
//
// The loss is the mean of log(predicted / measured seconds), taken robustly. A kernel counts by its
// part of its schedule's time; where no kernel has a time, the schedule counts as a whole. Each
// sample counts the same, and its random schedules together count as much as its good ones (by
// hand, or found by a search). The fit changes one constant after the other, in smaller and smaller
// steps.
//
// --keep only prints how well today's constants fit, --only (repeatable) changes only these
// constants, --worst prints the kernels that are furthest off.

#include "engine/cost/load/kernel_load.h"
#include "engine/cost/prediction.h"
#include "engine/cost/time/kernel_time.h"
#include "engine/host/machines.h"
#include "tests/campaigns/times/measured_line.h"
#include "tests/support/build_paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using cost::TimeConstants;

struct Kernel {
  cost::KernelLoad load;
  int cap = 64;
  double fromDram = 0;
  std::optional<report::AssemblerReport> assembled;
};

// What a measured time includes besides the kernels' own times.
enum class Beside : std::uint8_t { Nothing, Gaps, Events };
// The overhead of timing with events, in seconds per launch, in addition to the gap. An empty
// kernel that is timed with events takes 3.6 us.
constexpr double kEvents = 1.45e-6;

// Either one kernel that was timed by itself, or a schedule that was timed as a whole.
struct Sample {
  std::vector<Kernel> kernels;
  Beside beside = Beside::Gaps;
  double seconds = 0, weight = 0;
  std::string family, name;
};

bool isRandom(const std::string &name) {
  return name.find_first_not_of("0123456789") == std::string::npos;
}

class Fit {
public:
  Fit(const host::ToolPaths &tools, machine::Machine machine)
      : m_reader(tools), m_machine(std::move(machine)) {}

  void add(const nlohmann::json &line) {
    const auto measured = times::measuredIn(m_reader, line);
    if (!measured) return;
    const std::string family = measured->pipeline + (isRandom(measured->name) ? " random" : "");
    ++m_schedules[family];
    double all = 0;
    for (const auto &[name, milliseconds] : measured->kernels)
      all += milliseconds;
    Sample whole{{}, Beside::Gaps, measured->milliseconds * 1e-3, 1, family, measured->name};
    const int cap = measured->schedule.settings().registerCap;
    const cost::Prediction prediction = cost::predict(measured->schedule, m_machine);
    for (const auto &[load, time] : prediction.kernels) {
      const pipeline::Pipeline &pipeline = *measured->schedule.pipeline();
      const Kernel kernel{load, cap, prediction.fromDram,
                          cost::assembledOf(pipeline, load, measured->compiled)};
      whole.kernels.push_back(kernel);
      const std::string name = pipeline.stageName(load.stage);
      const auto known = measured->kernels.find(name);
      if (known == measured->kernels.end() || !kernel.assembled) continue;
      m_samples.push_back({{kernel},
                           measured->byEvents ? Beside::Events : Beside::Nothing,
                           known->second * 1e-3,
                           known->second / all,
                           family,
                           measured->name + " " + name});
    }
    if (measured->kernels.empty()) m_samples.push_back(std::move(whole));
  }

  void balance() {
    for (Sample &sample : m_samples)
      sample.weight /= m_schedules[sample.family];
  }

  double loss(const TimeConstants &constants) const {
    double sum = 0, weights = 0;
    for (const Sample &sample : m_samples) {
      constexpr double kNear = 0.5; // a larger error counts linearly, not squared
      const double off = std::abs(offOf(sample, constants));
      sum += sample.weight * (off < kNear ? off * off : kNear * (2 * off - kNear));
      weights += sample.weight;
    }
    return sum / weights;
  }

  void print(const TimeConstants &constants) const {
    std::map<std::string, std::pair<double, double>> offs;
    std::map<std::string, double> weights;
    for (const Sample &sample : m_samples) {
      const double off = offOf(sample, constants);
      offs[sample.family].first += sample.weight * off;
      offs[sample.family].second += sample.weight * off * off;
      weights[sample.family] += sample.weight;
    }
    for (const auto &[family, off] : offs) {
      const double mean = off.first / weights.at(family);
      std::printf(
          "%-32s predicted/measured %.2f, off by %.2f\n", family.c_str(), std::exp(mean),
          std::exp(std::sqrt(std::max(0.0, off.second / weights.at(family) - mean * mean))));
    }
  }

  void printWorst(const TimeConstants &constants, std::size_t count) const {
    std::vector<const Sample *> order;
    for (const Sample &sample : m_samples)
      order.push_back(&sample);
    std::ranges::sort(order, std::ranges::greater{}, [&](const Sample *sample) {
      return sample->weight * std::abs(offOf(*sample, constants));
    });
    order.resize(std::min(count, order.size()));
    for (const Sample *sample : order) {
      const auto longest = std::ranges::max(sample->kernels, {}, [&](const Kernel &kernel) {
        return timeOf(kernel, constants).seconds;
      });
      std::printf("%-50s x%.2f measured %.1f us, weight %.2f: %s\n", sample->name.c_str(),
                  std::exp(offOf(*sample, constants)), sample->seconds * 1e6, sample->weight,
                  partsOf(timeOf(longest, constants)).c_str());
    }
  }

private:
  static std::string partsOf(const cost::KernelTime &time) {
    std::string text;
    for (std::size_t l = 0; l < cost::kLimiters; ++l)
      if (time.parts[l] > 0.05 * time.seconds)
        text += std::string(cost::name(static_cast<cost::Limiter>(l))) + " " +
                std::to_string(std::lround(time.parts[l] * 1e7) / 10.0).substr(0, 6) + " ";
    return text + std::to_string(time.registers) + " registers, " +
           std::to_string(std::lround(time.spilled)) + " spilled, occupancy " +
           std::to_string(time.occupancy.fraction).substr(0, 4);
  }

  cost::KernelTime timeOf(const Kernel &kernel, const TimeConstants &constants) const {
    return cost::timeOf(kernel.load, m_machine, kernel.cap, kernel.fromDram, kernel.assembled,
                        constants);
  }

  // The seconds per launch that are measured but not predicted. A prediction includes the gap
  // between launches.
  static double besideOf(Beside beside, const TimeConstants &constants) {
    switch (beside) {
    case Beside::Nothing:
      return -constants.gap;
    case Beside::Gaps:
      return 0;
    case Beside::Events:
      return kEvents;
    }
    return 0;
  }

  double offOf(const Sample &sample, const TimeConstants &constants) const {
    double predicted = 0;
    for (const Kernel &kernel : sample.kernels)
      predicted += timeOf(kernel, constants).seconds +
                   kernel.load.launches * besideOf(sample.beside, constants);
    return std::log(predicted / sample.seconds);
  }

  tune::MeasuredReader m_reader;
  const machine::Machine m_machine;
  std::vector<Sample> m_samples;
  std::map<std::string, int> m_schedules;
};

struct Constant {
  const char *name;
  double TimeConstants::*member;
  double least, most;
};

constexpr Constant kConstants[] = {
    {"prologue", &TimeConstants::prologue, 10, 60},
    {"addressesPerTurn", &TimeConstants::addressesPerTurn, 1, 12},
    {"addressesPerScattered", &TimeConstants::addressesPerScattered, 0.5, 12},
    {"addressesPerRow", &TimeConstants::addressesPerRow, 0.3, 4},
    {"clocksPerIssue", &TimeConstants::clocksPerIssue, 1, 4},
    {"turn", &TimeConstants::turn, 2, 80},
    {"barrier", &TimeConstants::barrier, 15, 900},
    {"sharpness", &TimeConstants::sharpness, 1.2, 6},
    {"cachePass", &TimeConstants::cachePass, 0.2, 1.2},
    {"waitForLine", &TimeConstants::waitForLine, 0.5, 4},
    {"fetch", &TimeConstants::fetch, 0, 40},
    {"l2Part", &TimeConstants::l2Part, 0.5, 1.4},
    {"dramPart", &TimeConstants::dramPart, 0.6, 1.1},
    {"unrolledByPtxas", &TimeConstants::unrolledByPtxas, 1, 8},
    {"shortBody", &TimeConstants::shortBody, 16, 256},
    {"chainStep", &TimeConstants::chainStep, 1, 30},
    {"atomicSeconds", &TimeConstants::atomicSeconds, 1e-12, 1e-10},
    {"conflictSeconds", &TimeConstants::conflictSeconds, 1e-11, 1e-9},
    {"samePlaceSeconds", &TimeConstants::samePlaceSeconds, 1e-10, 5e-8},
    {"blocksPerClock", &TimeConstants::blocksPerClock, 0.4, 2},
    {"loadsPerRegister", &TimeConstants::loadsPerRegister, 0.2, 40},
    {"spillWait", &TimeConstants::spillWait, 0.5, 40},
    {"apart", &TimeConstants::apart, 0.1, 4},
    {"apartFade", &TimeConstants::apartFade, 0.2, 2},
    {"inStep", &TimeConstants::inStep, 0.01, 4},
};

TimeConstants best(const Fit &fit, const std::vector<std::string> &only) {
  TimeConstants constants;
  double least = fit.loss(constants);
  for (double step = 0.4; step > 0.02; step /= 2)
    for (bool isBetter = true; isBetter;) {
      isBetter = false;
      for (const Constant &constant : kConstants) {
        if (!only.empty() && std::ranges::find(only, constant.name) == only.end()) continue;
        for (const double factor : {1 + step, 1 / (1 + step)}) {
          TimeConstants other = constants;
          other.*constant.member =
              std::clamp(other.*constant.member * factor, constant.least, constant.most);
          const double loss = fit.loss(other);
          if (loss >= least - 1e-6) continue;
          least = loss;
          constants = other;
          isBetter = true;
        }
      }
    }
  return constants;
}

} // namespace

int main(int argc, char **argv) {
  std::string machineName = host::kDefaultMachine;
  bool keep = false;
  std::vector<std::string> only;
  std::size_t worst = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--keep")
      keep = true;
    else if (argument == "--only" && i + 1 < argc)
      only.emplace_back(argv[++i]);
    else if (argument == "--worst" && i + 1 < argc)
      worst = std::strtoul(argv[++i], nullptr, 10);
    else if (argument == "--machine" && i + 1 < argc)
      machineName = argv[++i];
  }
  host::ToolSearch search;
  search.programPath = tessera::test::binPath("tessera-cli");
  const host::ToolPaths tools = host::findTools(search);
  const auto machine = host::machineFor(machineName, tools);
  if (!machine) {
    std::fprintf(stderr, "%s\n", machine.error().message.c_str());
    return 2;
  }
  Fit fit(tools, *machine);
  for (std::string line; std::getline(std::cin, line);)
    fit.add(nlohmann::json::parse(line));
  fit.balance();
  const TimeConstants constants = keep ? TimeConstants{} : best(fit, only);
  fit.print(constants);
  fit.printWorst(constants, worst);
  for (const Constant &constant : kConstants)
    std::printf("%s %.4g\n", constant.name, constants.*constant.member);
  std::printf("loss %.4f, before %.4f\n", fit.loss(constants), fit.loss(TimeConstants{}));
}
