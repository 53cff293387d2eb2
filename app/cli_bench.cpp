// SPDX-License-Identifier: MIT
#include "app/cli_bench.h"

#include "app/cli_ceilings.h"
#include "app/cli_counters.h"
#include "app/cli_probe.h"
#include "app/cli_roofline.h"
#include "app/cli_source.h"
#include "engine/bench/gpu_client.h"
#include "engine/chart/quantity_text.h"
#include "engine/cost/roofline/floor.h"
#include "engine/host/ceilings.h"
#include "engine/host/files.h"
#include "engine/host/gpu_host.h"
#include "engine/measure/bench.h"
#include "engine/measure/bench_roofline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::app {
namespace {

using bench::Measurement;
using bench::Spread;
using chart::timeText;

struct BenchOptions {
  ScheduleOptions schedule; // the file may also be a bundle
  std::string output;
  std::string host; // empty: this machine
  std::optional<int> capability, registers;
  bench::MeasureOptions measure;
  bool noCold = false, noSingles = false, noAllocating = false, noGraph = false;
  bool noKernels = false, events = false;
  bool counters = false;
  std::string roofline; // output file; empty: none
  bool prepare = false, json = false;
  int timeout = 60; // seconds for the measurement
};

std::string padded(const std::string &text, std::size_t width) {
  const auto columns = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
  return columns < width ? std::string(width - columns, ' ') + text : text;
}

void printSpread(const char *what, const Spread &spread, const std::string &note = {}) {
  if (!spread.measured()) return;
  std::cout << std::left << std::setw(16) << what << std::right
            << padded(timeText(spread.median), 10) << "   " << timeText(spread.lower) << " to "
            << timeText(spread.upper) << ", " << spread.samples << " samples" << note << "\n";
}

std::string stateText(const bench::DeviceState &state) {
  if (state.multiprocessorMhz == 0) return "clocks not known";
  std::ostringstream text;
  text << state.multiprocessorMhz << " MHz, memory " << state.memoryMhz << " MHz, " << state.celsius
       << " °C, " << std::fixed << std::setprecision(0) << state.watts << " W";
  for (const std::string &reason : state.throttled)
    text << ", throttled: " << reason;
  return text.str();
}

void printKernels(const Measurement &m) {
  if (m.kernels.empty()) return;
  std::size_t width = 6;
  for (const bench::KernelTime &kernel : m.kernels)
    width = std::max(width, kernel.name.size());
  std::cout << "\n"
            << std::left << std::setw(static_cast<int>(width)) << "kernel" << std::right
            << "  launches      median  registers  local bytes\n";
  for (const bench::KernelTime &kernel : m.kernels)
    std::cout << std::left << std::setw(static_cast<int>(width)) << kernel.name << std::right
              << std::setw(10) << kernel.launches << "  "
              << padded(kernel.seconds.measured() ? timeText(kernel.seconds.median) : "-", 10)
              << std::setw(11) << kernel.registers << std::setw(13) << kernel.localBytes << "\n";
  if (const auto gap = m.gapSeconds())
    std::cout << "time of a run outside its kernels: " << timeText(*gap) << "\n";
}

std::string checkedText(const Measurement &m) {
  if (!m.comparison) return "UNVERIFIED: there is no reference to compare the outputs with";
  const std::string given = givenText(m.comparison->given);
  return (m.verified() ? "outputs equal the reference"
                       : "UNDECIDED: " + m.comparison->whyUndecided()) +
         (given.empty() ? "" : " (" + given + ")");
}

void print(const Measurement &m) {
  std::cout << m.pipeline << " on " << m.machine << ", driver "
            << (m.driver.empty() ? "unknown" : m.driver) << ", CUDA " << m.cudaVersion
            << ", at most " << m.registerCap << " registers per thread\n"
            << checkedText(m) << "\n";
  printSpread("consecutive", m.backToBack,
              " of " + std::to_string(m.runsPerSample) + (m.runsPerSample == 1 ? " run" : " runs"));
  printSpread("single", m.single);
  printSpread("cold cache", m.coldCache);
  printSpread("CUDA graph", m.graph);
  if (m.allocating.measured()) {
    std::ostringstream note;
    note << ", " << m.allocations << " allocations per run";
    printSpread("allocating", m.allocating, note.str());
  }
  printKernels(m);
  std::cout << "\nbefore: " << stateText(m.before) << "\nafter:  " << stateText(m.after) << "\n";
}

class Bench {
public:
  Bench(const BenchOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.schedule.file, invocation) {}

  int run() {
    auto gpu = startGpu(m_opener.tools(), m_options.host, m_opener.stop());
    if (!gpu) return report(gpu.error(), m_style);
    m_gpu = std::move(*gpu);
    m_bench.emplace(*m_gpu, whereIs(m_options.host));
    const std::string &file = m_options.schedule.file.file;
    if (measure::isBundle(file)) {
      if (!m_options.schedule.schedule.empty() || m_options.prepare)
        return report({ErrorCode::Usage, "'" + file + "' is a bundle, which is compiled already.",
                       "Leave out --schedule and --prepare, or give the pipeline instead."},
                      m_style);
      if (!m_options.schedule.file.inputs.empty())
        return report({ErrorCode::Usage,
                       "'" + file + "' is a bundle, which runs on the inputs of its reference.",
                       "Leave out --input, or give the pipeline instead."},
                      m_style);
      return measure(file);
    }
    if (m_options.schedule.schedule.empty())
      return report({ErrorCode::Usage, "No schedule to measure was given.",
                     "Add --schedule, or give a bundle made by compile -o."},
                    m_style);
    if (!m_options.output.empty()) return compileAndMeasure(m_options.output);
    if (m_options.prepare)
      return report({ErrorCode::Usage,
                     "--prepare makes a bundle for another machine and needs a folder for it.",
                     "Give the folder with -o DIR."},
                    m_style);
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return report(scratch.error(), m_style);
    return compileAndMeasure(scratch->path() + "/bundle");
  }

private:
  int compileAndMeasure(const std::string &folder) {
    const auto opened = openSchedule(m_opener, m_options.schedule.schedule);
    if (!opened) return report(opened.error(), m_style);
    auto inputs = m_opener.inputs(opened->opened);
    if (!inputs) return report(inputs.error(), m_style);
    measure::BenchBundleRequest request;
    request.inputs = std::move(*inputs);
    request.seed = m_options.measure.seed;
    const auto target = compileTarget();
    if (!target) return report(target.error(), m_style);
    request.compile = measure::bundleRequest(
        scheduledPipeline(*opened),
        m_options.registers.value_or(opened->sourced.schedule.settings().registerCap), *target,
        folder);
    measure::ScheduleCompiler compiler(m_opener.tools(), 1);
    // The reference runs on this machine, for which the host code was compiled.
    const auto host = startGpu(m_opener.tools(), "", m_opener.stop());
    if (!host) return report(host.error(), m_style);
    const auto bundle =
        measure::makeBenchBundle(compiler, **host, request, m_opener.stop(), terminalProgress());
    clearProgress();
    if (!bundle) return report(bundle.error(), m_style);
    printRemarks(bundle->remarks);
    m_schedule = opened->sourced.schedule;
    if (!m_options.prepare) return measure(folder);
    std::cout << "Measure the bundle on the machine with the GPU: tessera-cli bench " << folder
              << "\n";
    return outputDone();
  }

  // The compile target of the GPU. The GPU is not queried if the user gives the target or measures
  // later.
  Result<measure::CompileTarget> compileTarget() {
    measure::CompileTarget target;
    if (m_options.capability) target.capability = *m_options.capability;
    if (m_options.capability || m_options.prepare) return target;
    const auto asked = m_bench->target(time(), m_opener.stop());
    if (asked.outcome != Outcome::Ok) return errorOf(asked.outcome, asked.error);
    return asked.value;
  }

  bench::MeasureOptions measureOptions() const {
    bench::MeasureOptions options = m_options.measure;
    if (m_options.noCold) options.coldSamples = 0;
    if (m_options.noSingles) options.singles = 0;
    if (m_options.noKernels) options.tracedRuns = 0;
    options.allocating = !m_options.noAllocating;
    options.graph = !m_options.noGraph;
    options.useProfiler = !m_options.events;
    return options;
  }

  int measure(const std::string &bundle) {
    const auto placed = m_bench->place(bundle, measure::referenceFolderOf(bundle), m_opener.stop(),
                                       terminalProgress());
    clearProgress();
    if (placed.outcome != Outcome::Ok) return report(placed.error, m_style);
    const auto answer = m_bench->measure(measureOptions(), placed.value, time(), m_opener.stop(),
                                         terminalProgress());
    clearProgress();
    if (answer.outcome == Outcome::WrongOutput) {
      report(errorOf(answer.outcome, answer.error), m_style);
      return kWrongOutput;
    }
    if (answer.outcome != Outcome::Ok)
      return report(errorOf(answer.outcome, answer.error), m_style);
    return explain(bundle, placed.value, answer.value);
  }

  // Adds counters and a roofline if requested, and prints everything. `local` is the bundle's
  // folder on this machine.
  int explain(const std::string &local, const measure::BenchFolders &placed,
              const Measurement &measurement) {
    std::optional<bench::CounterReport> counters;
    if (m_options.counters) {
      const auto answer = m_bench->count(m_options.measure.seed, placed, time(), m_opener.stop(),
                                         terminalProgress());
      clearProgress();
      if (answer.outcome != Outcome::Ok)
        return report(errorOf(answer.outcome, answer.error), m_style);
      counters = answer.value;
    }
    std::optional<cost::Roofline> roofline;
    if (!m_options.roofline.empty()) {
      auto drawable = rooflineOf(local, measurement, counters);
      if (!drawable) return report(drawable.error(), m_style);
      roofline = std::move(*drawable);
      const Status drawn =
          drawRoofline(*roofline, measurement.pipeline, measurement.machine, m_options.roofline);
      if (!drawn) return report(drawn.error(), m_style);
    }
    const std::optional<KnownFloor> known = floorOf(local, measurement);
    if (m_options.json)
      printJson(measurement, counters, roofline, known);
    else
      printText(measurement, counters, roofline, known);
    const bool isUndecided = measurement.comparison && !measurement.verified();
    const int done = outputDone();
    return done == kOk && isUndecided ? static_cast<int>(kUndecided) : done;
  }

  // The floor of the pipeline; nullopt if the rates of this GPU are not known yet, since this
  // function does not measure them, or if the outputs were not checked.
  std::optional<KnownFloor> floorOf(const std::string &bundle, const Measurement &measurement) {
    const auto kept = host::keptCeilings(measurement.machine, m_opener.tools());
    if (!kept || !measurement.verified()) return std::nullopt;
    const auto report = reportIn(bundle);
    const auto machine = report ? machineOfGpu() : Result<machine::Machine>(report.error());
    if (!machine) return std::nullopt;
    const cost::Ceilings ceilings = host::ceilingsOf(*kept);
    const cost::Floor floor = m_schedule ? cost::floorOf(*m_schedule->base(), *machine)
                                         : cost::floorOf(*report, *machine);
    return KnownFloor{ceilings, cost::place(floor, ceilings)};
  }

  static Result<report::CompileReport> reportIn(const std::string &bundle) {
    const auto text = host::readFile(bundle + "/bundle.json");
    if (!text) return text.error();
    return report::compileReportFromJson(nlohmann::json::parse(*text, nullptr, false));
  }

  Result<machine::Machine> machineOfGpu() {
    const auto device = m_gpu->describe(time(), m_opener.stop());
    if (device.outcome != Outcome::Ok) return errorOf(device.outcome, device.error);
    return machineOf(device.value, m_opener.tools());
  }

  Result<cost::Roofline> rooflineOf(const std::string &bundle, const Measurement &measurement,
                                    const std::optional<bench::CounterReport> &counters) {
    auto report = reportIn(bundle);
    if (!report) return report.error();
    const auto machine = machineOfGpu();
    if (!machine) return machine.error();
    const auto measured = ceilingsOfGpu(*m_gpu, m_opener.tools(), m_opener.stop());
    if (measured.outcome != Outcome::Ok)
      std::cerr << "tessera-cli: the roofs were not measured: " << measured.error.message << "\n";
    return measure::rooflineOf({measured.outcome == Outcome::Ok ? host::ceilingsOf(measured.value)
                                                                : cost::ceilingsOf(*machine),
                                *machine, std::move(*report), measurement, counters, m_schedule});
  }

  static void printJson(const Measurement &measurement,
                        const std::optional<bench::CounterReport> &counters,
                        const std::optional<cost::Roofline> &roofline,
                        const std::optional<KnownFloor> &known) {
    nlohmann::ordered_json document = bench::toJson(measurement);
    if (known) {
      document["floor"] = fieldsOf(*known);
      if (const auto times = known->floor.times(measurement.backToBack.median))
        document["times_floor"] = *times;
    }
    if (counters) document["counters"] = bench::toJson(*counters);
    if (roofline) {
      document["roofline"] = summaryOf(*roofline);
      auto &kernels = document["roofline"]["kernels"] = nlohmann::ordered_json::array();
      for (const cost::Placed &kernel : roofline->kernels) {
        kernels.push_back(fieldsOfPlaced(kernel));
        kernels.back()["kernel"] = kernel.work.name;
      }
    }
    std::cout << document.dump(2) << "\n";
  }

  static void printText(const Measurement &measurement,
                        const std::optional<bench::CounterReport> &counters,
                        const std::optional<cost::Roofline> &roofline,
                        const std::optional<KnownFloor> &known) {
    print(measurement);
    // printRoofline() prints the floor itself, so it is not printed twice.
    if (known && !roofline)
      std::cout << floorText(known->floor, measurement.backToBack.median) << "\n";
    if (counters) printCounters(*counters);
    if (roofline) printRoofline(*roofline);
    printRemarks(measurement.remarks);
    if (counters) printRemarks(counters->remarks);
  }

  std::chrono::seconds time() const { return std::chrono::seconds(m_options.timeout); }

  const BenchOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
  std::unique_ptr<bench::GpuClient> m_gpu;
  std::optional<measure::GpuBench> m_bench;     // uses m_gpu
  std::optional<schedule::Schedule> m_schedule; // set if this command compiled it
};

} // namespace

void addHostOption(CLI::App &command, std::string &host) {
  command
      .add_option("--host", host,
                  "Use the GPU of another machine through ssh, which must log in without a prompt; "
                  "tessera-gpu is copied to that machine if it is missing there")
      ->type_name("USER@HOST");
}

Result<std::unique_ptr<bench::GpuClient>>
startGpu(const host::ToolPaths &tools, const std::string &host, const std::stop_token &stop) {
  const auto worker = host::gpuWorkerProcess(tools, host, stop, terminalProgress());
  clearProgress();
  if (!worker) return worker.error();
  return std::make_unique<bench::GpuClient>(*worker);
}

measure::GpuBench::Where whereIs(const std::string &host) {
  return host.empty() ? measure::GpuBench::Where::Here : measure::GpuBench::Where::Elsewhere;
}

void addBench(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App *command = cli.add_subcommand(
      "bench", "Measure a schedule, or a bundle that is already compiled, on the GPU");
  addScheduleOptions(*command, options->schedule);
  addInputOption(*command, options->schedule.file);
  command->get_option("FILE")->description(
      "A bundle made by compile -o or bench -o, or a pipeline: anything that inspect opens");
  command->get_option("--schedule")->required(false);
  command
      ->add_option("-o,--output", options->output,
                   "Keep the bundle in this folder, with a reference for its outputs")
      ->type_name("DIR");
  command->add_flag(
      "--prepare", options->prepare,
      "Only make the bundle and its reference, to measure on another machine; needs no GPU");
  addHostOption(*command, options->host);
  command
      ->add_option("--capability", options->capability,
                   "Compile for this compute capability (86 means 8.6) instead of the GPU's")
      ->type_name("N")
      ->check(CLI::Range(30, 86).description(""));
  command
      ->add_option("--registers", options->registers,
                   "Register cap, 16 to 255 per thread, instead of the schedule's")
      ->type_name("N")
      ->check(CLI::Range(16, 255).description(""));
  command->add_option("--seed", options->measure.seed, "Seed of the random inputs")
      ->type_name("N")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
      ->capture_default_str();
  command
      ->add_option("--batches", options->measure.batches,
                   "Number of samples; each is the mean time of several consecutive runs")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000).description(""))
      ->capture_default_str();
  command->add_flag("--no-single", options->noSingles,
                    "Do not measure single runs with synchronisation");
  command->add_flag("--no-cold", options->noCold,
                    "Do not measure runs with a cold cache (overwritten L2)");
  command->add_flag("--no-graph", options->noGraph,
                    "Do not measure runs whose kernels are launched as one CUDA graph");
  command->add_flag("--no-allocating", options->noAllocating,
                    "Do not measure runs that allocate every buffer themselves");
  command->add_flag("--no-kernels", options->noKernels,
                    "Do not measure the times of single kernels");
  command->add_flag("--events", options->events,
                    "Time the kernels with CUDA events instead of NVIDIA's profiler");
  command->add_flag("--counters", options->counters,
                    "Also count bytes, operations, occupancy and stalls with NVIDIA's profiler, "
                    "where the driver allows it");
  addRooflineOption(*command, options->roofline);
  addToleranceOption(*command, options->measure.tolerance);
  addTimeout(*command, options->timeout);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return Bench(*options, invocation).run(); };
  });
}

} // namespace tessera::app
