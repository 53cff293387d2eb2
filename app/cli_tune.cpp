// SPDX-License-Identifier: MIT
#include "app/cli_tune.h"

#include "app/cli_algorithm.h"
#include "app/cli_bench.h"
#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "app/cli_text.h"
#include "app/cli_weights.h"
#include "engine/chart/quantity_text.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/measure/bench.h"
#include "engine/measure/compile.h"
#include "engine/open/halide_workers.h"
#include "engine/search/algorithms.h"
#include "engine/search/kernels/frozen_conflict.h"
#include "engine/tune/tune.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using tune::TuneResult;
using tune::TuneState;

struct TuneOptions {
  ScheduleOptions schedule; // its `schedule` is the start; empty: the default
  std::string algorithm = "auto";
  search::ParameterValues parameters; // of the algorithm, taken from --param
  std::string machine = host::kDefaultMachine;
  std::string grid;                            // of the algorithm's parameters; empty: none
  std::vector<search::ParameterValues> points; // of that grid
  std::string mode;                            // of the algorithm beam; empty: none
  std::optional<std::size_t> batches;          // of the mode autotune; unset: those of the paper
  std::string weights;                         // the file of a learned cost; empty: none
  std::optional<tune::BeamPlan> beam;          // of that mode
  std::string budget = "60s";
  std::string store; // path; empty: the store in the cache, shared by all pipelines
  std::string host;  // empty: this machine
  std::string output;
  std::uint64_t seed = 0, inputSeed = 1;
  std::size_t workers = measure::compilersHere();
  std::size_t candidates = std::numeric_limits<std::size_t>::max();
  int timeout = 30; // seconds for each measurement
  report::GivenTolerance tolerance;
  bool byKernels = false;
  bool json = false;
};

// Parses "90", "90s", "5m" or "2h"; nullopt for other texts.
std::optional<std::chrono::milliseconds> durationFrom(const std::string &text) {
  std::int64_t number = 0;
  const char *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  constexpr std::int64_t kMost = 1'000'000; // the largest number, whatever its unit
  if (problem != std::errc() || number < 1 || number > kMost) return std::nullopt;
  const std::string unit(rest, end);
  if (unit.empty() || unit == "s") return std::chrono::seconds(number);
  if (unit == "m") return std::chrono::minutes(number);
  if (unit == "h") return std::chrono::hours(number);
  return std::nullopt;
}

std::string budgetProblem(const std::string &text) {
  return durationFrom(text) ? "" : "'" + text + "' is not a time; write 60s, 5m or 2h";
}

std::string stateText(const TuneState &state) {
  std::ostringstream text;
  text << state.measured << " measured, " << state.failed << " failed";
  if (state.kernels > 0 || state.estimated > 0)
    text << ", " << state.estimated << " told by their kernels, " << state.kernels
         << " kernels measured";
  if (state.known > 0) text << ", " << state.known << " known from earlier runs";
  if (state.trainings > 0) text << ", trained " << state.trainings << " times";
  if (state.bestSeconds) text << ", best " << chart::timeText(*state.bestSeconds);
  text << ", " << fixedText(state.perSecond(), 1) << " candidates/s, compilers "
       << fixedText(state.compilerBusy * 100, 0) << " % busy, GPU "
       << fixedText(state.gpuBusy * 100, 0) << " %";
  return text.str();
}

class Tune {
public:
  Tune(const TuneOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.schedule.file, invocation), m_budget(*durationFrom(options.budget)) {}

  int run() {
    const auto machine = host::machineFor(m_options.machine, m_opener.tools());
    if (!machine) return report(machine.error(), m_style);
    if (!m_options.output.empty() && !formatOf(m_options.output))
      return report(
          {ErrorCode::Usage, "'" + m_options.output + "' does not end in .h, .py or .json", {}},
          m_style);
    const auto gpu = startGpu(m_opener.tools(), m_options.host, m_opener.stop());
    if (!gpu) return report(gpu.error(), m_style);
    const auto device = (*gpu)->describe(std::chrono::seconds(m_options.timeout), m_opener.stop());
    if (device.outcome != Outcome::Ok)
      return report(errorOf(device.outcome, device.error), m_style);
    const std::string word = m_options.schedule.schedule;
    const auto opened = openSchedule(m_opener, word.empty() ? "default" : word);
    if (!opened)
      return report(withAlgorithmParameters(opened.error(), m_options.algorithm,
                                            m_options.schedule.file.parameters),
                    m_style);
    return tune(*opened, *machine, **gpu, device.value);
  }

private:
  int tune(const OpenedSchedule &opened, const machine::Machine &machine, bench::GpuClient &gpu,
           const bench::DeviceDescription &device) {
    auto start = search::legalStart(opened.sourced.schedule, machine);
    if (!start) return report(start.error(), m_style);
    auto inputs = m_opener.inputs(opened.opened);
    if (!inputs) return report(inputs.error(), m_style);
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return report(scratch.error(), m_style);
    measure::ScheduleCompiler compiler(m_opener.tools(), m_options.workers);
    tune::TuneRequest request{.start = std::move(*start),
                              .isStartMeasured = !m_options.schedule.schedule.empty(),
                              .plain = measure::plainPipeline(opened.opened),
                              .machine = machine,
                              .algorithm = m_options.algorithm,
                              .parameters = m_options.parameters,
                              .grid = m_options.points,
                              .beam = m_options.beam,
                              .seed = m_options.seed,
                              .budget = m_budget,
                              .candidates = m_options.candidates,
                              .compilers = m_options.workers,
                              .byKernels = m_options.byKernels};
    request.target = measure::targetOf(device);
    request.measureTimeout = std::chrono::seconds(m_options.timeout);
    request.measure = shortMeasurement();
    request.scratch = scratch->path();
    request.reference = scratch->path() + "/reference";
    request.where = whereIs(m_options.host);
    if (const Status made = makeReference(opened, compiler, std::move(*inputs), request.reference);
        !made)
      return report(made.error(), m_style);
    auto store = tune::TuneStore::open(storePath());
    if (!store) return report(store.error(), m_style);
    const auto context = contextOf(opened, request, device, **store);
    if (!context) return report(context.error(), m_style);
    const TuneResult result =
        tune::tune(request, **store, *context, compiler, gpu, m_opener.stop(), progress());
    clearProgress();
    return finish(result, machine);
  }

  // Measures only what is needed to rank many candidates in little time.
  bench::MeasureOptions shortMeasurement() const {
    bench::MeasureOptions measure;
    measure.seed = m_options.inputSeed;
    measure.tolerance = m_options.tolerance;
    measure.warmUpSeconds = 0.1;
    measure.batches = 5; // their quartiles are a few tenths of a percent apart
    measure.singles = measure.coldSamples = 0;
    // Kernels are timed by events: launches stay slower after a profiler was used, so each
    // measurement would need a new process.
    measure.tracedRuns = 5;
    measure.useProfiler = measure.hashOutputs = false;
    measure.useAssembled = true;
    measure.allocating = measure.graph = false;
    return measure;
  }

  std::string storePath() const {
    return m_options.store.empty() ? m_opener.tools().cacheDir + "/tune.sqlite" : m_options.store;
  }

  Status makeReference(const OpenedSchedule &opened, measure::ScheduleCompiler &compiler,
                       std::vector<bench::GivenInput> inputs, const std::string &folder) {
    const auto host = startGpu(m_opener.tools(), "", m_opener.stop());
    if (!host) return host.error();
    measure::BenchBundleRequest reference;
    reference.seed = m_options.inputSeed;
    reference.inputs = std::move(inputs);
    reference.compile.pipeline = measure::plainPipeline(opened.opened);
    return measure::makeReference(compiler, **host, reference, folder, m_opener.stop());
  }

  // Times are compared only within a context. Times on different inputs are not comparable, so the
  // context includes the inputs as well as the sizes. What the user allowed decides which times
  // count.
  static Result<std::int64_t> contextOf(const OpenedSchedule &opened,
                                        const tune::TuneRequest &request,
                                        const bench::DeviceDescription &device,
                                        tune::TuneStore &store) {
    const auto hash = host::fileHash(opened.opened.file.pipeline);
    if (!hash) return hash.error();
    auto sizes = open::estimateFields(opened.opened.file.estimates);
    if (const std::string inputs = bench::inputsIn(request.reference); !inputs.empty()) {
      const auto given = bench::readInputs(inputs);
      if (!given) return given.error();
      sizes.push_back({{"inputs_sha256", given->sha256}});
    }
    if (const report::GivenTolerance &given = request.measure.tolerance; !given.isNothing())
      sizes.push_back({{"tolerance", textOf(given)}});
    return store.contextId(
        {opened.opened.pipeline->name(), *hash, sizes.dump(), request.machine.name, device.name});
  }

  tune::TuneCallback progress() const {
    const auto shown = terminalProgress();
    if (!shown) return {};
    const double budget = std::chrono::duration<double>(m_budget).count();
    return [shown, budget](const TuneState &state) {
      shown({stateText(state), std::min(1.0, state.seconds / budget)});
    };
  }

  int finish(const TuneResult &result, const machine::Machine &machine) const {
    if (result.best && !m_options.output.empty()) {
      const auto text = scheduleText(
          result.best->schedule, *formatOf(m_options.output), machine, {},
          {"tuned: " + chart::timeText(result.best->seconds) + " measured in consecutive runs"});
      if (!text) return report(text.error(), m_style);
      if (const Status written = host::writeFile(m_options.output, *text); !written)
        return report(written.error(), m_style);
    }
    // A tuning that ended with an error may still have a result, which is printed first.
    if (result.error && !result.best) return report(*result.error, m_style);
    print(result);
    for (const std::string &cause : result.causesOfDropped)
      printRemarks({"Some proposals were dropped because of a fault in this program. Please report "
                    "it: " +
                    cause});
    if (result.error) return report(*result.error, ReportStyle::Text);
    const int done = outputDone();
    return done == kOk && result.cancelled ? static_cast<int>(kCancelled) : done;
  }

  void print(const TuneResult &result) const {
    const TuneState &state = result.state;
    const std::string given = givenText(m_options.tolerance);
    if (!m_options.json) {
      std::cout << stateText(state) << (given.empty() ? "" : ", " + given) << "\n";
      return;
    }
    nlohmann::ordered_json document{{"best_seconds", nullptr},
                                    {"measured", state.measured},
                                    {"failed", state.failed},
                                    {"estimated", state.estimated},
                                    {"kernels", state.kernels},
                                    {"known_before", state.known},
                                    {"proposed", state.proposed},
                                    {"compiled", state.compiled},
                                    {"seconds", state.seconds},
                                    {"candidates_per_second", state.perSecond()},
                                    {"compilers_busy", state.compilerBusy},
                                    {"gpu_busy", state.gpuBusy},
                                    {"store", storePath()},
                                    {"cancelled", result.cancelled}};
    if (!given.empty()) document["tolerance"] = textOf(m_options.tolerance);
    for (const tune::TrainedBatch &one : result.trained)
      document["trained"].push_back(
          {{"samples", one.samples}, {"best_seconds", one.bestSeconds}, {"loss", one.loss}});
    if (result.best) {
      document["best_seconds"] = result.best->seconds;
      document["best_hash"] = std::to_string(result.best->schedule.hash());
    }
    if (result.error) document["ended_by"] = result.error->message;
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }

  const TuneOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
  const std::chrono::milliseconds m_budget;
};

// Finds the plan of a mode of beam (Anderson et al. 2021, section 8), whose top 5 is one batch.
Status planBeam(TuneOptions &options) {
  if (!options.mode.empty() && options.algorithm != "beam")
    return Error{ErrorCode::Usage, "the algorithm " + options.algorithm + " has no modes",
                 "--mode needs --algorithm beam"};
  if (const Status usable = checkWeights(options.weights, options.algorithm, options.parameters);
      !usable)
    return usable;
  if (options.mode.empty()) return Done{};
  if (options.batches && options.mode != "autotune")
    return Error{ErrorCode::Usage, "the mode " + options.mode + " is one batch",
                 "--batches needs --mode autotune"};
  auto weights = weightsIn(options.weights);
  if (!weights) return weights.error();
  constexpr std::size_t kTop = 5, kBatches = 20;
  tune::BeamPlan plan{.weights = std::move(*weights)};
  if (options.mode == "one-shot") plan.measured = 1;
  if (options.mode == "top5") plan.measured = kTop;
  if (options.mode == "autotune") {
    plan.batches = options.batches.value_or(kBatches);
    plan.isTrained = true;
  }
  options.beam = std::move(plan);
  return Done{};
}

int tuneFile(TuneOptions options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  auto parameters = takeAlgorithmParameters(options.algorithm, options.schedule.file.parameters);
  if (!parameters) return report(parameters.error(), style);
  options.parameters = std::move(*parameters);
  if (const Status planned = planBeam(options); !planned) return report(planned.error(), style);
  if (!options.grid.empty()) {
    auto points = search::gridPoints(search::parametersOf(options.algorithm), options.algorithm,
                                     options.grid, options.parameters);
    if (!points) return report(points.error(), style);
    options.points = std::move(*points);
  }
  return Tune(options, invocation).run();
}

void addBeamOptions(CLI::App &command, TuneOptions &options) {
  CLI::Option *const mode =
      command
          .add_option("--mode", options.mode,
                      "Of the algorithm beam, measure nothing but the schedule of least cost of a "
                      "batch (one-shot), the five of least cost (top5), or batch after batch, with "
                      "a cost model that is trained in between (autotune)")
          ->type_name("one-shot|top5|autotune")
          ->check(CLI::IsMember({"one-shot", "top5", "autotune"}).description(""))
          ->excludes("--grid");
  constexpr std::size_t kMostBatches = 10'000;
  command.add_option("--batches", options.batches, "The batches of --mode autotune; unset: 20")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, kMostBatches).description(""))
      ->needs(mode);
  command
      .add_option(
          "--weights", options.weights,
          "The weights that the cost model of --mode begins with: a file of learn train, or "
          "that of Halide's anderson2021. Unset: random ones for autotune, else our model")
      ->type_name("FILE")
      ->needs(mode);
}

} // namespace

void addTune(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<TuneOptions>();
  CLI::App *command = cli.add_subcommand(
      "tune", "Search for a schedule by measuring; continues where an earlier run ended");
  addFileOptions(*command, options->schedule.file);
  addInputOption(*command, options->schedule.file);
  command->add_option("--budget", options->budget, "Stop after this time: 60s, 5m, 2h")
      ->type_name("TIME")
      ->check(budgetProblem)
      ->capture_default_str();
  command
      ->add_option("--candidates", options->candidates,
                   "Stop after this many schedules were measured")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::numeric_limits<std::size_t>::max()).description(""));
  addAlgorithmOptions(*command, "The search algorithm that is used before measuring",
                      options->algorithm, options->schedule.schedule);
  command->get_option("--algorithm")->check([](const std::string &name) {
    const bool isKnown = std::ranges::find(search::algorithms(), name, &search::Algorithm::name) !=
                         search::algorithms().end();
    return isKnown ? std::string() : "'" + name + "' is not an algorithm";
  });
  command
      ->add_option(
          "--grid", options->grid,
          "Measure what the algorithm finds with each point of this grid of its parameters, "
          "and nothing else: see below")
      ->type_name("NAME");
  addBeamOptions(*command, *options);
  addMachineOption(*command, options->machine);
  command
      ->add_option("--store", options->store,
                   "Keep the measurements in this SQLite file instead of the one in the cache")
      ->type_name("FILE");
  addHostOption(*command, options->host);
  constexpr std::size_t kMostWorkers = 64;
  command
      ->add_option("--workers", options->workers, "Compile this many candidates at the same time")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, kMostWorkers).description(""))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the random choices of the search")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--by-kernels", options->byKernels,
                    "Measure each kernel alone, and the whole only where its kernels are fast");
  addToleranceOption(*command, options->tolerance);
  addTimeout(*command, options->timeout);
  command->get_option("--timeout")->description("Stop a measurement after this many seconds");
  command
      ->add_option("-o,--output", options->output,
                   "Write the fastest schedule: NAME.schedule.h, .py or .json")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return tuneFile(*options, invocation); };
  });
}

} // namespace tessera::app
