// SPDX-License-Identifier: MIT
#include "app/cli_explain.h"

#include "app/cli_correction.h"
#include "app/cli_machine.h"
#include "app/cli_roofline.h"
#include "app/cli_source.h"
#include "app/cli_spills.h"
#include "app/cli_table.h"
#include "engine/cost/prediction.h"
#include "engine/cost/roofline/roofline_work.h"
#include "engine/document/prediction_json.h"
#include "engine/host/ceilings.h"
#include "engine/host/machines.h"
#include "engine/schedule/text/decision_text.h"
#include "engine/schedule/text/schedule_difference.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using cost::KernelTime;
using cost::Limiter;
using cost::Prediction;
using cost::StageLoad;
using pipeline::Pipeline;

struct ExplainOptions {
  ScheduleOptions schedule;
  std::string machine = host::kDefaultMachine;
  std::string against;    // another schedule to compare with; empty: none
  std::string correction; // a file of `learn correct`; empty: none
  std::string roofline;   // output file; empty: none
  bool json = false;
};

// Another schedule of the same pipeline, its predicted time, and where its decisions differ.
struct Against {
  std::string word;
  double seconds = 0;
  std::vector<schedule::CellDifference> differences; // between the explained schedule and this one
};

Result<std::optional<Against>> againstOf(const ExplainOptions &options, FileOpener &opener,
                                         const OpenedSchedule &explained,
                                         const machine::Machine &machine) {
  if (options.against.empty()) return std::optional<Against>();
  const auto other = legalSchedule(opener, options.against, explained.opened, machine);
  if (!other) return other.error();
  return std::optional(Against{options.against, cost::predict(*other, machine).seconds,
                               schedule::differencesBetween(explained.sourced.schedule, *other)});
}

nlohmann::ordered_json toJson(const Against &against) {
  nlohmann::ordered_json differences = nlohmann::ordered_json::array();
  for (const schedule::CellDifference &difference : against.differences) {
    nlohmann::ordered_json fields;
    if (!difference.stage.empty()) fields["stage"] = difference.stage;
    fields["decision"] = name(difference.column);
    fields["value"] = difference.first;
    fields["other"] = difference.second;
    differences.push_back(std::move(fields));
  }
  return {{"schedule", against.word},
          {"predicted_ms", against.seconds * kMilli},
          {"differences", std::move(differences)}};
}

void printText(const Against &against, double seconds) {
  constexpr double kSame = 0.05; // percent; a smaller difference would be printed as 0.0 %
  const double percent = (seconds / against.seconds - 1) * 100;
  std::cout << "\ncompared with " << against.word << " (" << std::defaultfloat
            << std::setprecision(4) << against.seconds * kMilli
            << " ms predicted), this schedule takes ";
  if (std::abs(percent) < kSame)
    std::cout << "the same time\n";
  else
    std::cout << fixedText(std::abs(percent), 1) << " % " << (percent > 0 ? "more" : "less")
              << " time\n";
  Table table{{{"stage"}, {"decision"}, {"this schedule"}, {against.word}}, {}};
  for (const schedule::CellDifference &difference : against.differences)
    table.rows.push_back({difference.stage.empty() ? "all kernels" : difference.stage,
                          std::string(name(difference.column)), difference.first,
                          difference.second});
  if (table.rows.empty())
    std::cout << "their decisions are the same\n";
  else
    std::cout << table;
}

nlohmann::ordered_json toJson(const std::vector<schedule::OpaqueCall> &opaque,
                              const Pipeline &pipeline) {
  nlohmann::ordered_json calls = nlohmann::ordered_json::array();
  for (const schedule::OpaqueCall &one : opaque)
    calls.push_back({{"stage", pipeline.stageName(one.stage)}, {"call", one.call}});
  return calls;
}

void printText(const std::vector<schedule::OpaqueCall> &opaque, const Pipeline &pipeline) {
  if (opaque.empty()) return;
  std::cout << "\n"
            << opaque.size()
            << (opaque.size() == 1 ? " opaque directive, which is kept as it is"
                                   : " opaque directives, which are kept as they are")
            << ", and which the prediction leaves out:\n";
  for (const schedule::OpaqueCall &one : opaque)
    std::cout << "  " << pipeline.stageName(one.stage) << ": " << one.call << "\n";
}

void printJson(const Prediction &prediction, const cost::Roofline &roofline,
               const std::optional<Against> &against, const std::optional<Judged> &judged,
               const schedule::Schedule &schedule, const machine::Machine &machine) {
  auto document = document::toJson(prediction, schedule, machine);
  document["roofline"] = summaryOf(roofline);
  for (std::size_t k = 0; k < roofline.kernels.size(); ++k)
    document["kernels"][k]["roofline"] = fieldsOfPlaced(roofline.kernels[k]);
  if (judged) addJson(*judged, prediction, document);
  if (against) document["against"] = toJson(*against);
  document["opaque"] = toJson(schedule::opaqueCalls(schedule), *schedule.pipeline());
  std::cout << document.dump(2) << "\n";
}

// The three largest parts of a kernel's time, in microseconds. The first one is the limiter.
std::string alsoText(const KernelTime &time) {
  std::array<std::size_t, cost::kLimiters> order{};
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(order, std::greater<>{}, [&](std::size_t i) { return time.parts[i]; });
  std::ostringstream text;
  text << std::fixed << std::setprecision(1);
  for (std::size_t i = 0; i < 3; ++i)
    text << (i ? ", " : "") << name(static_cast<Limiter>(order[i])) << " "
         << time.parts[order[i]] * kMicro;
  return text.str();
}

void printText(const Prediction &prediction, const schedule::Schedule &schedule,
               const machine::Machine &machine) {
  const Pipeline &pipeline = *schedule.pipeline();
  std::cout << schedule.base()->name() << " on " << machine.title << ": " << std::setprecision(4)
            << prediction.milliseconds() << " ms predicted\n";
  if (const std::string unknown = cost::unknownTimes(pipeline); !unknown.empty())
    std::cout << unknown << "\n";
  std::cout << "      us  kernel                    blocks  threads   regs  shared  occupancy  "
               "largest parts, us\n";
  for (const auto &[load, time] : prediction.kernels) {
    std::cout << std::fixed << std::setprecision(1) << std::setw(8) << time.seconds * kMicro << "  "
              << std::left << std::setw(24) << pipeline.stageName(load.stage) << std::right
              << std::setprecision(0) << std::setw(8) << load.blocks << "  " << std::left
              << std::setw(11) << sizeText(load.blockThreads) << std::right << std::setw(4)
              << time.registers << std::setw(8) << load.sharedBytes << std::setw(9)
              << time.occupancy.fraction * 100 << " %  " << alsoText(time) << "\n";
    if (load.stages.size() < 2) continue;
    for (const StageLoad &stage : load.stages)
      std::cout << "            " << std::left << std::setw(22) << pipeline.stageName(stage.stage)
                << std::right << std::setprecision(1) << std::setw(8) << stage.bodies
                << " iterations per thread, each of " << stage.points << " points, " << stage.loads
                << " loads, " << stage.sharedAccesses << " in shared memory (" << stage.sharedPasses
                << " passes)\n";
  }
  printSpills(prediction, schedule);
  printText(schedule::opaqueCalls(schedule), pipeline);
}

int explain(const ExplainOptions &options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  FileOpener opener(options.schedule.file, invocation);
  const auto machine = host::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), style);
  const auto opened = openLegal(opener, options.schedule.schedule, *machine);
  if (!opened) return report(opened.error(), style);
  const schedule::Schedule &schedule = opened->sourced.schedule;
  const auto against = againstOf(options, opener, *opened, *machine);
  if (!against) return report(against.error(), style);
  const Prediction prediction = cost::predict(schedule, *machine);
  const auto judged = judgedBy(options.correction, prediction, *machine);
  if (!judged) return report(judged.error(), style);
  const cost::Ceilings ceilings = host::ceilingsFor(*machine, opener.tools());
  const cost::Roofline roofline = cost::rooflineOf(prediction, schedule, *machine, ceilings);
  if (!options.roofline.empty()) {
    const Status drawn =
        drawRoofline(roofline, schedule.base()->name(), machine->title, options.roofline);
    if (!drawn) return report(drawn.error(), style);
  }
  if (options.json) {
    printJson(prediction, roofline, *against, *judged, schedule, *machine);
  } else {
    printText(prediction, schedule, *machine);
    if (const std::optional<Judged> &known = *judged; known)
      printText(*known, prediction, *schedule.pipeline());
    if (!options.roofline.empty()) printRoofline(roofline);
    if (*against) printText(**against, prediction.seconds);
  }
  return outputDone();
}

} // namespace

void addExplain(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App *command =
      cli.add_subcommand("explain", "Predict how long a schedule takes, kernel by kernel, and why");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option(
          "--against", options->against,
          "Compare with this schedule, named as for --schedule: its predicted time, and each "
          "decision that differs")
      ->type_name("S");
  command
      ->add_option(
          "--correction", options->correction,
          "Correct the times by this file, of `learn correct`; the bounds say how far those "
          "who learned from different pipelines disagree")
      ->type_name("FILE");
  addRooflineOption(*command, options->roofline);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return explain(*options, invocation); };
  });
}

} // namespace tessera::app
