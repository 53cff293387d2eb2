// SPDX-License-Identifier: MIT
#include "app/cli_schedule.h"

#include "app/cli_algorithm.h"
#include "app/cli_correction.h"
#include "app/cli_machine.h"
#include "app/cli_sizes.h"
#include "app/cli_source.h"
#include "app/cli_spills.h"
#include "app/cli_text.h"
#include "app/cli_trace.h"
#include "app/cli_weights.h"
#include "engine/cost/prediction.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/beam/beam_search.h"
#include "engine/search/kernels/frozen_conflict.h"
#include "engine/tune/other_searches.h"
#include "engine/tune/refine.h"
#include "engine/tune/search_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using tune::SearchRun;

// The results of --refine.
struct Refining {
  tune::Refined result;
  double seconds = 0;
};

void print(const SearchOptions &options, const schedule::Schedule &start, const SearchRun &found,
           const std::optional<Refining> &refining, const machine::Machine &machine) {
  const schedule::Schedule &best = found.best.schedule;
  const bool legal = schedule::isLegal(best, machine);
  const cost::Prediction prediction = cost::predict(best, machine);
  const std::size_t kernels = prediction.kernels.size();
  const double before = cost::predict(start, machine).milliseconds();
  const double predicted = found.best.seconds * 1e3;
  const tune::Verdict verdict = tune::verdictOn(predicted, before);
  const std::vector<std::string> kept = search::frozenTexts(best);
  const std::string unknown = cost::unknownTimes(*best.pipeline());
  if (options.json) {
    nlohmann::ordered_json document{{"algorithm", options.algorithm},
                                    {"pipeline", best.base()->name()},
                                    {"machine", machine.name},
                                    {"legal", legal},
                                    {"seconds", found.seconds},
                                    {"predicted_ms", predicted},
                                    {"start_predicted_ms", before},
                                    {"verdict", tune::name(verdict)},
                                    {"kept", kept},
                                    {"kernels", kernels},
                                    {"register_cap", best.settings().registerCap},
                                    {"spills", spillsOf(prediction, best)},
                                    {"candidates", found.candidates},
                                    {"evaluations", found.evaluations},
                                    {"cancelled", found.cancelled}};
    if (!unknown.empty()) document["unknown"] = unknown;
    if (!options.parameters.empty())
      document["parameters"] = parametersJson(options.algorithm, options.parameters);
    if (!found.remarks.empty()) document["remarks"] = found.remarks;
    for (const search::KernelCost &cost : found.costs) {
      nlohmann::ordered_json terms{{"kernel", cost.kernel}};
      for (const auto &[term, value] : cost.terms)
        terms[std::string(term)] = value;
      document["costs"].push_back(std::move(terms));
    }
    if (options.trace) document["trace"] = traceJson(found.trace);
    if (refining) {
      document["refine_seconds"] = refining->seconds;
      document["refine_compiled"] = refining->result.compiled;
      document["refine_failed"] = refining->result.failures.size();
    }
    std::cout << document.dump(2) << "\n";
    return;
  }
  std::cout << best.base()->name() << ": " << std::setprecision(4) << predicted
            << " ms predicted on " << machine.title << " (" << before << " at the start"
            << (verdict == tune::Verdict::Slower ? ", which was faster" : "") << "), " << kernels
            << (kernels == 1 ? " kernel, at most " : " kernels, at most ")
            << best.settings().registerCap << " registers per thread; " << found.evaluations
            << " evaluations in " << std::setprecision(3) << found.seconds << " s"
            << (found.cancelled ? ", cancelled" : "");
  if (refining)
    std::cout << "; " << refining->result.compiled << " compiled in " << refining->seconds << " s";
  std::cout << "\n";
  if (!unknown.empty()) std::cout << "  " << unknown << "\n";
  for (const std::string &remark : found.remarks)
    std::cout << "  " << remark << "\n";
  for (const std::string &decision : kept)
    std::cout << "  kept, because it is frozen: " << decision << "\n";
  printSpills(prediction, best);
  if (options.trace) printTrace(found.trace);
}

// The search problem. Frozen decisions of `wanted` stay.
Result<search::Problem> problemOf(const SearchOptions &options, const schedule::Schedule &wanted,
                                  const machine::Machine &machine) {
  auto start = search::legalStart(wanted, machine);
  if (!start) return start.error();
  if (!(*start == wanted))
    printRemarks({"the schedule to start from is not legal; its frozen decisions are kept, and the "
                  "search starts from a legal one"});
  search::Problem problem{std::move(*start), machine, options.seed, options.budget};
  problem.parameters = options.parameters;
  if (options.trace) problem.traceRows = search::kMostTraceRows;
  const auto funcs = problem.start.pipeline()->funcs();
  for (const std::string &name : options.around) {
    const auto func = std::ranges::find(funcs, name, &pipeline::Func::name);
    if (func == funcs.end())
      return Error{ErrorCode::Usage, "there is no func called '" + name + "'",
                   "inspect lists the funcs"};
    problem.around.push_back(static_cast<pipeline::FuncId>(func - funcs.begin()));
  }
  return problem;
}

// Runs the search, with the weights of its cost model if there are any.
Result<SearchRun> searched(const SearchOptions &options, const search::Problem &problem,
                           FileOpener &opener) {
  auto weights = weightsIn(options.weights);
  if (!weights) return weights.error();
  if (!*weights)
    return tune::runSearch(options.algorithm, problem, opener.stop(), terminalProgress());
  search::BeamSearch search(problem, std::move(*weights));
  return tune::runSearch(search, opener.stop(), terminalProgress());
}

// Compiles the best schedule and other candidates with ptxas, and chooses again among them. The
// other candidates come from searches for machines with modified rates.
Result<Refining> refineBest(FileOpener &opener, const SearchOptions &options,
                            const OpenedSchedule &start, const search::Problem &problem,
                            const search::Candidate &best) {
  std::optional<learn::Correction> correction;
  if (!options.correction.empty()) {
    auto known = correctionFor(problem.machine, options.correction);
    if (!known) return known.error();
    correction = std::move(*known);
  }
  const auto scratch = host::ScratchFolder::create(opener.tools().cacheDir);
  if (!scratch) return scratch.error();
  measure::ScheduleCompiler compiler(opener.tools(), 1);
  const auto begin = std::chrono::steady_clock::now();
  search::Problem untraced = problem;
  untraced.traceRows = 0;
  auto candidates = tune::searchedOtherwise(options.algorithm, untraced,
                                            std::min(options.refined, tune::kOtherSearches),
                                            opener.stop(), terminalProgress());
  candidates.push_back(best);
  auto refined = tune::refine(
      candidates, options.refined, problem.machine, measure::plainPipeline(start.opened), compiler,
      scratch->path(), opener.stop(), terminalProgress(), correction ? &*correction : nullptr);
  clearProgress();
  if (!refined) return refined.error();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return Refining{std::move(*refined), seconds.count()};
}

// Fails if the schedule that was found would overwrite the file of the start schedule although it
// is slower.
Status mayWrite(const SearchOptions &options, const SearchRun &found,
                const search::Problem &problem) {
  const double before = cost::predict(problem.start, problem.machine).seconds;
  std::error_code failed;
  if (tune::verdictOn(found.best.seconds, before) != tune::Verdict::Slower ||
      !std::filesystem::equivalent(options.output, options.schedule.schedule, failed))
    return Done{};
  return Error{ErrorCode::InputRefused,
               "the schedule that was found is slower than the schedule in '" + options.output +
                   "', which is left as it is",
               "give another file to -o"};
}

int search(SearchOptions options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  auto parameters = takeAlgorithmParameters(options.algorithm, options.schedule.file.parameters);
  if (!parameters) return report(parameters.error(), style);
  options.parameters = std::move(*parameters);
  if (const Status usable = checkWeights(options.weights, options.algorithm, options.parameters);
      !usable)
    return report(usable.error(), style);
  FileOpener opener(options.schedule.file, invocation);
  const auto machine = host::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), style);
  const auto format = formatOf(options.output);
  if (!options.output.empty() && !format)
    return report(
        {ErrorCode::Usage, "'" + options.output + "' does not end in .h, .py or .json", {}}, style);
  if (!options.sizes.empty()) return searchForSizes(options, opener, *machine, format);
  const auto opened = openSchedule(opener, options.start());
  if (!opened)
    return report(withAlgorithmParameters(opened.error(), options.algorithm,
                                          options.schedule.file.parameters),
                  style);
  auto problem = problemOf(options, opened->sourced.schedule, *machine);
  if (!problem) return report(problem.error(), style);
  const schedule::Schedule &start = problem->start;
  auto found = searched(options, *problem, opener);
  clearProgress();
  if (!found) return report(found.error(), style);
  std::optional<Refining> refining;
  if (options.refined > 0 && !found->cancelled) {
    auto refined = refineBest(opener, options, *opened, *problem, found->best);
    if (!refined) return report(refined.error(), style);
    found->best = refined->result.best;
    refining = std::move(*refined);
  }
  if (format) {
    if (const Status may = mayWrite(options, *found, *problem); !may)
      return report(may.error(), style);
    const auto text =
        scheduleText(found->best.schedule, *format, *machine, found->best.seconds * 1e3);
    if (!text) return report(text.error(), style);
    if (const Status written = host::writeFile(options.output, *text); !written)
      return report(written.error(), style);
  }
  print(options, start, *found, refining, *machine);
  const int done = outputDone();
  return done == kOk && found->cancelled ? static_cast<int>(kCancelled) : done;
}

} // namespace

void addSearch(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<SearchOptions>();
  CLI::App *command = cli.add_subcommand("schedule", "Find a schedule for a GPU");
  addFileOptions(*command, options->schedule.file);
  addAlgorithmOptions(*command, "The search algorithm", options->algorithm,
                      options->schedule.schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option("--around", options->around,
                   "Start from the given schedule, and change only decisions about these funcs "
                   "(only with the algorithm auto)")
      ->type_name("FUNC");
  CLI::Option *sizes =
      command
          ->add_option("--sizes", options->sizes,
                       "Schedule for these sizes, and compare with one schedule for all; repeat "
                       "the option for each set. Give the name of a size, or estimates: \"720p: "
                       "input=1280×720 output=1280×720\"")
          ->type_name("[NAME:] SIZES")
          ->allow_extra_args(false)
          ->excludes(command->get_option("--size"))
          ->excludes(command->get_option("--around"));
  command->add_option("--seed", options->seed, "Seed of the random choices")
      ->type_name("N")
      ->check([](const std::string &text) { // the parser would turn -1 into 2^64 - 1
        return text.starts_with('-') ? "'" + text + "' is negative" : std::string();
      })
      ->capture_default_str();
  command->add_option("--budget", options->budget, "Evaluate at most this many schedules")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::numeric_limits<std::size_t>::max()).description(""));
  constexpr std::size_t kMostRefined = 1000;
  CLI::Option *const refine =
      command
          ->add_option(
              "--refine", options->refined,
              "Compile up to N schedules (the best found, the best found for variants of this "
              "GPU with other rates, and schedules similar to these), and choose by the "
              "registers and spills that ptxas reports")
          ->type_name("N")
          ->check(CLI::Range(std::size_t{1}, kMostRefined).description(""))
          ->excludes(sizes);
  command
      ->add_option("--correction", options->correction,
                   "With --refine: correct the times by this file, of `learn correct`")
      ->type_name("FILE")
      ->needs(refine);
  command
      ->add_option("--weights", options->weights,
                   "The weights of the learned cost model that ranks the states of the algorithm "
                   "beam: a file of learn train, or that of Halide's anderson2021")
      ->type_name("FILE")
      ->excludes(sizes);
  command
      ->add_option("-o,--output", options->output,
                   "Write the schedule, preferably as NAME.schedule.h, .py or .json; with --sizes "
                   "the one for all, and NAME.SET.schedule.h for each set")
      ->type_name("OUT");
  command
      ->add_flag("--trace", options->trace,
                 "Say what the search decided and tried, with its costs and why it was refused")
      ->excludes(sizes);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return search(*options, invocation); };
  });
}

} // namespace tessera::app
