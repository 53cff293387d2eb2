// SPDX-License-Identifier: MIT
#include "app/cli_occupancy.h"

#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/cost/prediction.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/machine/occupancy.h"
#include "engine/measure/assemble.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using cost::Prediction;
using machine::BlockUse;
using machine::Machine;
using machine::Occupancy;
using machine::OccupancyPoint;
using nlohmann::ordered_json;
using report::AssemblerReport;

struct OccupancyOptions {
  ScheduleOptions schedule; // if no file is given, `use` is analysed instead
  std::string machine = host::kDefaultMachine;
  BlockUse use{256, 32, 0};
  std::string over;
  bool curves = false, ptxas = false, json = false;
};

// A quantity that can be varied.
struct Axis {
  const char *name;
  std::vector<OccupancyPoint> (*curve)(const Machine &, BlockUse);
  std::int64_t (*at)(const BlockUse &);
};
constexpr std::array kAxes{
    Axis{"threads", machine::overThreads, [](const BlockUse &use) { return use.threads; }},
    Axis{"registers", machine::overRegisters, [](const BlockUse &use) { return use.registers; }},
    Axis{"shared_bytes", machine::overSharedBytes,
         [](const BlockUse &use) { return use.sharedBytes; }}};

std::span<const Axis> axesOf(const OccupancyOptions &options) {
  if (options.curves) return kAxes;
  const auto *const axis = std::ranges::find(kAxes, options.over, &Axis::name);
  return {axis, axis == kAxes.end() ? 0U : 1U};
}

// --- output as JSON

ordered_json limitsOf(const Occupancy &occupancy) {
  ordered_json limits;
  for (int r = 0; r < machine::kResources; ++r)
    limits[std::string(name(static_cast<machine::Resource>(r)))] =
        occupancy.blockLimit[static_cast<std::size_t>(r)];
  return limits;
}

ordered_json fieldsOf(const Occupancy &occupancy) {
  return {{"blocks", occupancy.blocks},
          {"warps", occupancy.warps},
          {"occupancy", occupancy.fraction},
          {"limiting", name(occupancy.limiting)},
          {"blocks_by", limitsOf(occupancy)}};
}

ordered_json pointsOf(const Axis &axis, const Machine &machine, const BlockUse &use) {
  auto points = ordered_json::array();
  for (const auto &[value, at] : axis.curve(machine, use)) {
    points.push_back(fieldsOf(at));
    points.back()[axis.name] = value;
  }
  return points;
}

void addCurves(ordered_json &document, const OccupancyOptions &options, const Machine &machine,
               const BlockUse &use) {
  for (const Axis &axis : axesOf(options)) {
    ordered_json points = pointsOf(axis, machine, use);
    if (options.curves)
      document["curves"][axis.name] = std::move(points);
    else
      document["curve"] = std::move(points);
  }
}

// --- output as text

void print(std::ostream &out, const Occupancy &occupancy) {
  out << std::fixed << std::setprecision(1) << std::setw(6) << occupancy.fraction * 100 << " %"
      << std::setw(5) << occupancy.blocks << " blocks" << std::setw(5) << occupancy.warps
      << " warps  limited by " << name(occupancy.limiting) << "\n";
}

// Prints one line for each range of neighbouring values with the same result. An arrow marks the
// range that contains the block's own value.
void printSteps(std::ostream &out, const Axis &axis, const Machine &machine, const BlockUse &use) {
  const std::vector<OccupancyPoint> points = axis.curve(machine, use);
  const auto isLike = [](const Occupancy &a, const Occupancy &b) {
    return a.blocks == b.blocks && a.warps == b.warps && a.limiting == b.limiting;
  };
  out << "  over " << axis.name << ", now " << axis.at(use) << "\n";
  for (std::size_t first = 0; first < points.size();) {
    std::size_t next = first + 1;
    while (next < points.size() && isLike(points[next].occupancy, points[first].occupancy))
      ++next;
    const std::int64_t end =
        next < points.size() ? points[next].value : std::numeric_limits<std::int64_t>::max();
    const bool isHere = points[first].value <= axis.at(use) && axis.at(use) < end;
    const std::string range =
        std::to_string(points[first].value) +
        (next == first + 1 ? "" : " to " + std::to_string(points[next - 1].value));
    out << (isHere ? "  → " : "    ") << std::left << std::setw(16) << range << std::right;
    print(out, points[first].occupancy);
    first = next;
  }
}

// --- a block given by numbers

int showBlock(const OccupancyOptions &options, const Machine &machine) {
  const Occupancy here = occupancy(machine, options.use);
  if (options.json) {
    ordered_json document = fieldsOf(here);
    addCurves(document, options, machine, options.use);
    std::cout << document.dump(2) << "\n";
    return outputDone();
  }
  print(std::cout, here);
  for (const Axis &axis : axesOf(options)) {
    if (options.curves) {
      printSteps(std::cout, axis, machine, options.use);
      continue;
    }
    for (const auto &[value, at] : axis.curve(machine, options.use)) {
      std::cout << std::setw(6) << value << " " << axis.name << " ";
      print(std::cout, at);
    }
  }
  return outputDone();
}

// --- the kernels of a schedule

// A kernel as estimated, and as the assembler reports it if the assembler was run.
struct Kernel {
  std::string name;
  const Prediction::Kernel &estimated;
  std::optional<AssemblerReport> assembled;

  BlockUse use() const {
    const int registers = assembled ? assembled->registers : estimated.time.registers;
    return {estimated.load.threads(), registers, estimated.load.sharedBytes};
  }
};

// Keys that also occur in the output of `explain` have the same meaning.
ordered_json fieldsOf(const Kernel &kernel, const Machine &machine) {
  const auto &[load, time] = kernel.estimated;
  ordered_json fields{{"kernel", kernel.name},
                      {"launches", load.launches},
                      {"blocks", load.blocks},
                      {"threads", load.blockThreads},
                      {"shared_bytes", load.sharedBytes},
                      {"registers", time.registers},
                      {"registers_spilled", time.spilled},
                      {"occupancy", time.occupancy.fraction},
                      {"occupancy_limited_by", name(time.occupancy.limiting)},
                      {"resident_blocks", time.occupancy.blocks},
                      {"resident_warps", time.occupancy.warps},
                      {"blocks_by", limitsOf(time.occupancy)},
                      {"waves", time.waves}};
  if (const auto &assembled = kernel.assembled) {
    const Occupancy known = occupancy(machine, kernel.use());
    fields["ptxas"] = {{"registers", assembled->registers},
                       {"stack_bytes", assembled->stackBytes},
                       {"spill_bytes", assembled->spillStoreBytes + assembled->spillLoadBytes},
                       {"occupancy", known.fraction},
                       {"occupancy_limited_by", name(known.limiting)},
                       {"resident_blocks", known.blocks},
                       {"resident_warps", known.warps},
                       {"blocks_by", limitsOf(known)}};
  }
  return fields;
}

std::vector<std::string> rowOf(const std::string &title, const Kernel &kernel,
                               std::int64_t registers, const Occupancy &occupancy) {
  return {title,
          sizeText(kernel.estimated.load.blockThreads),
          std::to_string(registers),
          std::to_string(kernel.estimated.load.sharedBytes),
          fixedText(occupancy.fraction * 100, 1) + " %",
          std::to_string(occupancy.blocks),
          std::to_string(occupancy.warps),
          std::string(name(occupancy.limiting))};
}

Table tableOf(const std::vector<Kernel> &kernels, const Machine &machine) {
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"kernel"},
               {"threads"},
               {"registers", kRight},
               {"shared", kRight},
               {"occupancy", kRight},
               {"blocks", kRight},
               {"warps", kRight},
               {"limited by"}},
              {}};
  for (const Kernel &kernel : kernels) {
    const cost::KernelTime &time = kernel.estimated.time;
    table.rows.push_back(rowOf(kernel.name, kernel, time.registers, time.occupancy));
    if (kernel.assembled)
      table.rows.push_back(rowOf("  by ptxas", kernel, kernel.assembled->registers,
                                 occupancy(machine, kernel.use())));
  }
  return table;
}

class ScheduleOccupancy {
public:
  ScheduleOccupancy(const OccupancyOptions &options, const Machine &machine,
                    const Invocation &invocation)
      : m_options(options), m_machine(machine), m_opener(options.schedule.file, invocation) {}

  int run() {
    const auto opened = openLegal(m_opener, m_options.schedule.schedule, m_machine);
    if (!opened) return fail(opened.error());
    const schedule::Schedule &schedule = opened->sourced.schedule;
    std::vector<report::KernelReport> compiled;
    if (m_options.ptxas) {
      auto kernels = assembled(*opened);
      if (!kernels) return fail(kernels.error());
      compiled = std::move(*kernels);
    }
    const Prediction prediction = cost::predict(schedule, m_machine);
    std::vector<Kernel> kernels;
    for (const Prediction::Kernel &kernel : prediction.kernels)
      kernels.push_back({schedule.pipeline()->stageName(kernel.load.stage), kernel,
                         cost::assembledOf(*schedule.pipeline(), kernel.load, compiled)});
    if (m_options.json)
      printJson(schedule, kernels);
    else
      printText(schedule, kernels);
    return outputDone();
  }

private:
  int fail(const Error &error) const {
    return report(error, m_options.json ? ReportStyle::Json : ReportStyle::Text);
  }

  Result<std::vector<report::KernelReport>> assembled(const OpenedSchedule &opened) {
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return scratch.error();
    measure::ScheduleCompiler compiler(m_opener.tools(), 1);
    auto kernels = measure::assemble(
        scheduledPipeline(opened), opened.sourced.schedule.settings().registerCap, m_machine,
        compiler, scratch->path() + "/bundle", m_opener.stop(), terminalProgress());
    clearProgress();
    return kernels;
  }

  void printJson(const schedule::Schedule &schedule, const std::vector<Kernel> &kernels) const {
    auto array = ordered_json::array();
    for (const Kernel &kernel : kernels) {
      array.push_back(fieldsOf(kernel, m_machine));
      addCurves(array.back(), m_options, m_machine, kernel.use());
    }
    std::cout << ordered_json{{"pipeline", schedule.base()->name()},
                              {"machine", m_machine.name},
                              {"register_cap", schedule.settings().registerCap},
                              {"kernels", std::move(array)}}
                     .dump(2)
              << "\n";
  }

  void printText(const schedule::Schedule &schedule, const std::vector<Kernel> &kernels) const {
    std::cout << schedule.base()->name() << " on " << m_machine.title << ", at most "
              << schedule.settings().registerCap << " registers per thread\n"
              << tableOf(kernels, m_machine);
    if (axesOf(m_options).empty()) return;
    for (const Kernel &kernel : kernels) {
      std::cout << "\n" << kernel.name << (kernel.assembled ? ", by ptxas\n" : "\n");
      for (const Axis &axis : axesOf(m_options))
        printSteps(std::cout, axis, m_machine, kernel.use());
    }
  }

  const OccupancyOptions &m_options;
  const Machine &m_machine;
  FileOpener m_opener;
};

int showOccupancy(const OccupancyOptions &options, const Invocation &invocation) {
  const auto machine = host::machineFor(options.machine, invocation.tools);
  if (!machine)
    return report(machine.error(), options.json ? ReportStyle::Json : ReportStyle::Text);
  if (options.schedule.file.file.empty()) return showBlock(options, *machine);
  return ScheduleOccupancy(options, *machine, invocation).run();
}

} // namespace

void addOccupancy(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<OccupancyOptions>();
  CLI::App *command = cli.add_subcommand(
      "occupancy", "Show how many blocks a multiprocessor holds at the same time, for each kernel "
                   "of a schedule or for a block given by its numbers");
  addScheduleOptions(*command, options->schedule);
  CLI::Option *file = command->get_option("FILE")->required(false);
  CLI::Option *schedule = command->get_option("--schedule")->required(false);
  file->needs(schedule);
  schedule->needs(file);
  addMachineOption(*command, options->machine);
  command
      ->add_flag("--ptxas", options->ptxas,
                 "Compile the schedule, and also show the occupancy with the registers that ptxas "
                 "reports, beside the estimate")
      ->needs(file);
  const auto number = [&](const char *name, std::int64_t &value, const char *meaning,
                          std::int64_t least) {
    command->add_option(name, value, meaning)
        ->type_name("N")
        ->check(CLI::Range(least, std::int64_t{std::numeric_limits<std::int32_t>::max()})
                    .description(""))
        ->excludes(file)
        ->capture_default_str();
  };
  number("--threads", options->use.threads, "Without a file: threads per block", 1);
  number("--registers", options->use.registers, "Without a file: registers per thread", 0);
  number("--shared", options->use.sharedBytes, "Without a file: shared memory per block, in bytes",
         0);
  CLI::Option *over =
      command
          ->add_option("--over", options->over, "Vary this number, and keep the others as they are")
          ->type_name("threads|registers|shared_bytes")
          ->check(CLI::IsMember({"threads", "registers", "shared_bytes"}).description(""));
  command
      ->add_flag("--curves", options->curves,
                 "Vary threads, registers and shared memory, one after the other")
      ->excludes(over);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return showOccupancy(*options, invocation); };
  });
}

} // namespace tessera::app
