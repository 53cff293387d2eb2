// SPDX-License-Identifier: MIT
#include "app/cli_compare.h"

#include "app/cli_bench.h"
#include "app/cli_machine.h"
#include "app/cli_peers.h"
#include "app/cli_roofline.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/bench/gpu_client.h"
#include "engine/chart/quantity_text.h"
#include "engine/host/ceilings.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/tune/compare.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using tune::Comparison;
using tune::Contender;

struct CompareOptions {
  FileOptions file; // may also be the folder of a comparison
  std::vector<std::string> with;
  std::string machine = host::kDefaultMachine;
  std::string folder; // folder to prepare for a later measurement; empty: measure now
  std::string host;   // empty: this machine
  std::uint64_t seed = 1;
  int rounds = 21, timeout = 120, peerTimeout = 120; // timeouts in seconds
  report::GivenTolerance tolerance;
  tune::PeerSampling sampling;
  bool csv = false, json = false;
};

// The floor of the pipeline on the GPU that was measured. If its ceilings were not measured, they
// come from the machine that the comparison was prepared for. That machine may have been a file
// that no longer exists, or may describe another GPU; then the floor is unknown.
std::optional<KnownFloor> floorOf(const Comparison &comparison, const host::ToolPaths &tools) {
  if (!comparison.floor) return std::nullopt;
  const auto machine = host::machineFor(comparison.machine, tools);
  const auto ceilings = host::knownCeilings(comparison.gpu(), machine ? &*machine : nullptr, tools);
  if (!ceilings) return std::nullopt;
  return KnownFloor{*ceilings, cost::place(*comparison.floor, *ceilings)};
}

std::string timesText(const std::optional<double> &seconds,
                      const std::optional<KnownFloor> &known) {
  const auto times = seconds && known ? known->floor.times(*seconds) : std::nullopt;
  return times ? fixedText(*times, 2) : "-";
}

// What the user allowed is said beside each time.
std::string checkedWord(const report::GivenTolerance &given) {
  return given.isNothing() ? "yes" : "with " + textOf(given);
}

std::vector<std::string> rowOf(const Contender &contender, std::optional<double> best,
                               const std::optional<KnownFloor> &known) {
  const auto seconds = contender.seconds();
  const bool isChecked = contender.measurement && contender.measurement->verified();
  const auto state = contender.state;
  // A reason may have several lines; the table takes the first.
  std::string why = contender.why.substr(0, contender.why.find('\n'));
  if (contender.isOpaque) why = why.empty() ? "opaque" : "opaque: " + why;
  if (!seconds && state != tune::ContenderState::Ready)
    why = std::string(name(state)) + (why.empty() ? "" : ": " + why);
  return {contender.name,
          seconds ? chart::timeText(*seconds) : "-",
          seconds ? fixedText(*seconds / *best, 2) : "-",
          timesText(seconds, known),
          contender.predictedSeconds ? chart::timeText(*contender.predictedSeconds) : "-",
          contender.scheduleSeconds ? fixedText(*contender.scheduleSeconds, 2) : "-",
          isChecked ? checkedWord(contender.measurement->comparison->given) : "no",
          contender.hasBundle() ? std::to_string(contender.kernels) : "-",
          contender.registerCap > 0 ? std::to_string(contender.registerCap) : "-",
          why};
}

void printTable(const Comparison &comparison, const std::optional<KnownFloor> &known) {
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"candidate"},
               {"time", kRight},
               {"ratio", kRight},
               {"× floor", kRight},
               {"predicted", kRight},
               {"scheduling, s", kRight},
               {"checked"},
               {"kernels", kRight},
               {"registers", kRight},
               {"remark"}},
              {}};
  const auto best = comparison.bestSeconds();
  for (const Contender &contender : comparison.contenders)
    table.rows.push_back(rowOf(contender, best, known));
  std::cout << table;
  if (known && known->floor.seconds > 0)
    std::cout << "floor: " << chart::timeText(known->floor.seconds) << ", "
              << name(known->floor.binding) << ", " << known->ceilings.source << "\n";
}

void printJson(const Comparison &comparison, const std::optional<KnownFloor> &known) {
  nlohmann::ordered_json document = toJson(comparison);
  if (known) document["floor"] = fieldsOf(*known);
  for (std::size_t i = 0; known && i < comparison.contenders.size(); ++i)
    if (const auto seconds = comparison.contenders[i].seconds())
      if (const auto times = known->floor.times(*seconds))
        document["contenders"][i]["times_floor"] = *times;
  std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

class Compare {
public:
  Compare(const CompareOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.file, invocation) {}

  int run() {
    const bool isPrepared = tune::isComparison(m_options.file.file);
    if (isPrepared &&
        !(m_options.with.empty() && m_options.folder.empty() && m_options.file.inputs.empty()))
      return report(
          {ErrorCode::Usage,
           "'" + m_options.file.file + "' is a comparison, whose candidates are compiled already.",
           "Leave out --with, --prepare and --input, or give the pipeline instead."},
          m_style);
    if (!isPrepared && m_options.with.empty())
      return report({ErrorCode::Usage, "No candidates to compare were given.",
                     "Name candidates: --with manual,auto,refined,li2018,anderson2021"},
                    m_style);
    if (isPrepared) return measurePrepared(m_options.file.file);
    if (!m_options.folder.empty()) return prepareOnly();
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return report(scratch.error(), m_style);
    return compareIn(scratch->path() + "/comparison");
  }

private:
  int prepareOnly() {
    const auto comparison = prepare(m_options.folder, {});
    if (!comparison) return report(comparison.error(), m_style);
    const int done = print(*comparison);
    if (!m_options.json && !m_options.csv)
      std::cerr << "Measure the candidates on the machine with the GPU: tessera-cli compare "
                << m_options.folder << "\n";
    return done;
  }

  int compareIn(const std::string &folder) {
    const auto gpu = startGpu(m_opener.tools(), m_options.host, m_opener.stop());
    if (!gpu) return report(gpu.error(), m_style);
    const auto device = (*gpu)->describe(std::chrono::seconds(m_options.timeout), m_opener.stop());
    const bool isThere = device.outcome == Outcome::Ok;
    auto comparison =
        prepare(folder, isThere ? std::optional(measure::targetOf(device.value)) : std::nullopt);
    if (!comparison) return report(comparison.error(), m_style);
    if (!isThere) return printUnmeasured(*comparison, device.error);
    return measure(*comparison, folder, **gpu);
  }

  int measurePrepared(const std::string &folder) {
    auto comparison = tune::readComparison(folder);
    if (!comparison) return report(comparison.error(), m_style);
    const auto gpu = startGpu(m_opener.tools(), m_options.host, m_opener.stop());
    if (!gpu) return report(gpu.error(), m_style);
    return measure(*comparison, folder, **gpu);
  }

  int measure(Comparison &comparison, const std::string &folder, bench::GpuClient &gpu) {
    const tune::TurnsRequest request{folder, whereIs(m_options.host), m_options.rounds,
                                     std::chrono::seconds(m_options.timeout), m_options.tolerance};
    const Status measured =
        tune::measureComparison(comparison, request, gpu, m_opener.stop(), terminalProgress());
    clearProgress();
    if (!measured && m_opener.stop().stop_requested()) return report(measured.error(), m_style);
    return measured ? print(comparison) : printUnmeasured(comparison, measured.error());
  }

  // Prints what is known without a GPU, and the results of an earlier measurement if there are any.
  int printUnmeasured(const Comparison &comparison, const Error &why) const {
    printRemarks({"nothing was measured this time: " + why.message});
    return print(comparison);
  }

  int print(const Comparison &comparison) const {
    const std::optional<KnownFloor> known = floorOf(comparison, m_opener.tools());
    if (m_options.json)
      printJson(comparison, known);
    else if (m_options.csv)
      std::cout << tune::csvText(comparison, known ? std::optional(known->floor) : std::nullopt);
    else
      printTable(comparison, known);
    printRemarks(comparison.remarks);
    return outputDone();
  }

  Result<Comparison> prepare(const std::string &folder,
                             std::optional<measure::CompileTarget> target) {
    const auto machine = host::machineFor(m_options.machine, m_opener.tools());
    if (!machine) return machine.error();
    auto contenders = tune::contendersFor(m_options.with, *machine, m_opener.tools());
    if (!contenders) return contenders.error();
    const auto request = m_opener.request();
    if (!request) return request.error();
    const auto opened = m_opener.open(*request);
    if (!opened) return opened.error();
    auto inputs = m_opener.inputs(*opened);
    if (!inputs) return inputs.error();
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return scratch.error();
    // The reference runs on this machine, for which the host code was compiled.
    const auto host = startGpu(m_opener.tools(), "", m_opener.stop());
    if (!host) return host.error();
    measure::ScheduleCompiler compiler(m_opener.tools(), 1);
    const tune::PrepareRequest preparing{
        std::move(*contenders),
        {*request, *opened, *machine, m_opener.tools(), scratch->path(),
         std::chrono::seconds(m_options.peerTimeout), m_options.sampling},
        folder,
        target.value_or(measure::targetOf(*machine)),
        std::move(*inputs),
        m_options.seed};
    auto comparison = tune::prepareComparison(preparing, m_opener.opener(), compiler, **host,
                                              m_opener.stop(), terminalProgress());
    clearProgress();
    return comparison;
  }

  const CompareOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
};

} // namespace

void addCompare(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App *command = cli.add_subcommand(
      "compare", "Measure several schedules of a pipeline alternately and show them in one table");
  addFileOptions(*command, options->file);
  addInputOption(*command, options->file);
  command->get_option("FILE")->description(
      "A pipeline: anything that inspect opens; or the folder of a comparison made by --prepare");
  command
      ->add_option(
          "--with", options->with,
          "The candidates: default, manual, auto, refined, another search algorithm, perhaps with "
          "parameters as in mullapudi:LOAD_COST=20;CACHE_SIZE=16384, one of Halide's "
          "autoschedulers (see peers --list), or files that end in .schedule.h or .json")
      ->type_name("A,B,…")
      ->delimiter(',');
  addMachineOption(*command, options->machine);
  addHostOption(*command, options->host);
  command
      ->add_option(
          "--prepare", options->folder,
          "Only make the bundles and the reference, to measure on another machine; needs no GPU")
      ->type_name("DIR");
  command
      ->add_option("--rounds", options->rounds,
                   "Number of rounds; every round takes one sample of each candidate")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000).description(""))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the random inputs")
      ->type_name("N")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
      ->capture_default_str();
  addToleranceOption(*command, options->tolerance);
  addTimeout(*command, options->timeout);
  command->get_option("--timeout")
      ->description("Stop the measurement of all candidates after this many seconds");
  constexpr int kDay = 24 * 60 * 60;
  command
      ->add_option("--peer-timeout", options->peerTimeout,
                   "Stop an autoscheduler after this many seconds, with the samples that it has")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, kDay).description(""))
      ->capture_default_str();
  addPeerSampling(*command, options->sampling);
  command->add_flag("--csv", options->csv, "Print the table as comma-separated values");
  command->add_flag("--json", options->json, "Print JSON")->excludes(command->get_option("--csv"));
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return Compare(*options, invocation).run(); };
  });
}

} // namespace tessera::app
