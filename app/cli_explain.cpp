// SPDX-License-Identifier: MIT
#include "app/cli_explain.h"

#include "app/cli_machine.h"
#include "app/cli_roofline.h"
#include "app/cli_schedule.h"
#include "app/cli_table.h"
#include "engine/cost/prediction.h"
#include "engine/cost/roofline_work.h"
#include "engine/session/ceilings.h"
#include "engine/session/machines.h"

#include <nlohmann/json.hpp>

#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace tessera::app {
namespace {

using cost::KernelTime;
using cost::Limiter;
using cost::Prediction;
using cost::StageLoad;
using nlohmann::ordered_json;
using pipeline::Pipeline;

struct ExplainOptions {
  ScheduleOptions schedule;
  std::string machine = session::kDefaultMachine;
  std::string roofline; // file; empty: none
  bool json = false;
};

constexpr double kMicro = 1e6;

ordered_json fieldsOf(const StageLoad &stage, const Pipeline &pipeline) {
  return {{"stage", pipeline.stageName(stage.stage)},
          {"threads", stage.threads},
          {"warps", stage.warps},
          {"bodies", stage.bodies},
          {"points", stage.points},
          {"fp32", stage.arithmetic.fp32},
          {"fp64", stage.arithmetic.fp64},
          {"fp16", stage.arithmetic.fp16},
          {"integer", stage.arithmetic.integer},
          {"integer_products", stage.arithmetic.products},
          {"special", stage.arithmetic.special},
          {"rows", stage.rows},
          {"loads", stage.loads},
          {"stores", stage.stores},
          {"shared_accesses", stage.sharedAccesses},
          {"local_accesses", stage.localAccesses},
          {"cache_lines", stage.lines},
          {"shared_passes", stage.sharedPasses},
          {"l2_bytes", stage.l2Bytes},
          {"store_bytes", stage.storeBytes},
          {"values_held", stage.held},
          {"values_live", stage.live}};
}

ordered_json fieldsOf(const Prediction::Kernel &kernel, const cost::Placed &placed,
                      const Pipeline &pipeline) {
  const auto &[load, time] = kernel;
  ordered_json parts;
  for (int l = 0; l < cost::kLimiters; ++l)
    parts[std::string(name(static_cast<Limiter>(l)))] =
        time.parts[static_cast<std::size_t>(l)] * 1e3;
  auto stages = ordered_json::array();
  for (const StageLoad &stage : load.stages)
    stages.push_back(fieldsOf(stage, pipeline));
  return {{"kernel", pipeline.stageName(load.stage)},
          {"predicted_ms", time.seconds * 1e3},
          {"limiter", name(time.limiter)},
          {"parts_ms", std::move(parts)},
          {"launches", load.launches},
          {"blocks", load.blocks},
          {"threads", load.blockThreads},
          {"shared_bytes", load.sharedBytes},
          {"dram_bytes", load.dramBytes},
          {"registers", time.registers},
          {"registers_spilled", time.spilled},
          {"occupancy", time.occupancy.fraction},
          {"occupancy_limited_by", name(time.occupancy.limiting)},
          {"waves", time.waves},
          {"roofline", fieldsOfPlaced(placed)},
          {"stages", std::move(stages)}};
}

void printJson(const Prediction &prediction, const cost::Roofline &roofline,
               const schedule::Schedule &schedule, const machine::Machine &machine) {
  auto kernels = ordered_json::array();
  for (std::size_t k = 0; k < prediction.kernels.size(); ++k)
    kernels.push_back(fieldsOf(prediction.kernels[k], roofline.kernels[k], *schedule.pipeline()));
  std::cout << ordered_json{{"pipeline", schedule.base()->name()},
                            {"machine", machine.name},
                            {"predicted_ms", prediction.milliseconds()},
                            {"register_cap", schedule.settings().registerCap},
                            {"from_dram", prediction.fromDram},
                            {"roofline", summaryOf(roofline)},
                            {"kernels", std::move(kernels)}}
                   .dump(2)
            << "\n";
}

// The two largest parts after the limiter, so that one sees what comes next.
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
            << prediction.milliseconds() << " ms predicted\n"
            << "      us  kernel                    blocks  threads   regs  shared  occupancy  "
               "its largest parts, us\n";
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
                << " turns of " << stage.points << " points, " << stage.loads << " loads, "
                << stage.sharedAccesses << " in shared memory (" << stage.sharedPasses
                << " passes)\n";
  }
}

int explain(const ExplainOptions &options, std::stop_token stop) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  FileOpener opener(options.schedule.file, std::move(stop));
  const auto machine = session::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), style);
  const auto opened = openSchedule(opener, options.schedule.schedule);
  if (!opened) return report(opened.error(), style);
  const schedule::Schedule &schedule = opened->sourced.schedule;
  if (const Status legal = requireLegal(schedule, *machine); !legal)
    return report(legal.error(), style);
  const Prediction prediction = cost::predict(schedule, *machine);
  const cost::Ceilings ceilings = session::ceilingsFor(*machine, opener.tools());
  const cost::Roofline roofline = cost::rooflineOf(prediction, schedule, *machine, ceilings);
  if (!options.roofline.empty()) {
    const Status drawn =
        drawRoofline(roofline, schedule.base()->name(), machine->title, options.roofline);
    if (!drawn) return report(drawn.error(), style);
  }
  if (options.json) {
    printJson(prediction, roofline, schedule, *machine);
  } else {
    printText(prediction, schedule, *machine);
    if (!options.roofline.empty()) printRoofline(roofline);
  }
  return outputDone();
}

} // namespace

void addExplain(CLI::App &cli, std::function<int(std::stop_token)> &run) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App *command =
      cli.add_subcommand("explain", "How long a schedule should take, kernel by kernel, and why");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  addRooflineOption(*command, options->roofline);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](std::stop_token stop) { return explain(*options, std::move(stop)); };
  });
}

} // namespace tessera::app
