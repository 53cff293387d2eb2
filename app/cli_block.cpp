// SPDX-License-Identifier: MIT
#include "app/cli_block.h"

#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/block/block_json.h"
#include "engine/cost/prediction.h"
#include "engine/host/machines.h"
#include "engine/pipeline/stage_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::app {
namespace {

using block::BlockHandle;
using block::Duty;
using block::GridWaves;
using block::HandleStop;
using block::StageBlock;
using block::ThreadBlock;
using block::ThreadPlace;
using block::WarpPattern;
using cost::Prediction;
using nlohmann::ordered_json;
using schedule::Schedule;

struct BlockOptions {
  ScheduleOptions schedule;
  std::string machine = host::kDefaultMachine;
  std::string kernel;     // number from 1, or name; empty: the one that takes longest
  std::string stage;      // empty: the stage that owns the blocks
  std::size_t access = 1; // number, from 1, of the access whose addresses are printed
  std::vector<std::int64_t> thread{0, 0, 0};
  bool json = false;
};

// What is shown: a stage of a kernel.
struct Shown {
  std::size_t kernel = 0;
  pipeline::StageId stage{};
};

Error refusal(std::string message, std::string hint) {
  return {ErrorCode::Usage, std::move(message), std::move(hint)};
}

std::string threadText(const ThreadPlace &thread) {
  return std::to_string(thread[0]) + "," + std::to_string(thread[1]) + "," +
         std::to_string(thread[2]);
}

std::string stageNames(const Schedule &schedule, const Prediction::Kernel &kernel) {
  std::string names;
  for (const cost::StageLoad &stage : kernel.load.stages)
    names += (names.empty() ? "" : ", ") + schedule.pipeline()->stageName(stage.stage);
  return names;
}

Result<std::size_t> kernelOf(const Schedule &schedule, const Prediction &prediction,
                             const std::string &word) {
  const std::size_t count = prediction.kernels.size();
  if (count == 0)
    return refusal("the schedule has no kernel: extern stages compute all of the pipeline",
                   "Open a pipeline that computes something itself.");
  if (word.empty())
    return static_cast<std::size_t>(std::ranges::max_element(prediction.kernels, {},
                                                             [](const Prediction::Kernel &kernel) {
                                                               return kernel.time.seconds;
                                                             }) -
                                    prediction.kernels.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number >= 1 && number <= count)
    return number - 1;
  for (std::size_t k = 0; k < count; ++k)
    if (schedule.pipeline()->stageName(prediction.kernels[k].load.stage) == word) return k;
  return refusal("the schedule has no kernel '" + word + "'",
                 "Give a number from 1 to " + std::to_string(count) +
                     ", or the name of the stage that owns the kernel's blocks.");
}

Result<Shown> shownOf(const BlockOptions &options, const Schedule &schedule,
                      const Prediction &prediction) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  if (!options.stage.empty()) {
    const auto stage = stageNamed(pipeline, options.stage);
    if (!stage)
      return refusal("the pipeline has no stage '" + options.stage + "'",
                     "`inspect FILE` lists the stages.");
    const auto kernel = block::kernelOf(prediction, *stage);
    if (!kernel)
      return refusal("no kernel computes '" + options.stage + "', because it is inlined",
                     "Name a stage that reads it.");
    if (!options.kernel.empty()) {
      const auto wanted = kernelOf(schedule, prediction, options.kernel);
      if (!wanted) return wanted.error();
      if (*wanted != *kernel)
        return refusal("kernel " + options.kernel + " does not compute '" + options.stage + "'",
                       "It computes " + stageNames(schedule, prediction.kernels[*wanted]) + ".");
    }
    return Shown{*kernel, *stage};
  }
  const auto kernel = kernelOf(schedule, prediction, options.kernel);
  if (!kernel) return kernel.error();
  return Shown{*kernel, prediction.kernels[*kernel].load.stage};
}

// ---- output as text

// "1 wave", "15 waves".
std::string counted(std::int64_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string lower(double value) { return fixedText(value, value == std::round(value) ? 0 : 2); }

void printThreads(const ThreadBlock &block) {
  std::cout << "  block      " << sizeText(block.threads) << " = " << counted(block.all(), "thread")
            << " in " << counted(block.warps(), "warp") << "; " << block.count(Duty::Computes)
            << " computing, " << block.count(Duty::Halo) << " computing only halo, "
            << block.count(Duty::Idle) << " idle";
  if (block.emptyLanes() > 0) std::cout << "; " << counted(block.emptyLanes(), "empty lane");
  std::cout << "\n  per thread " << counted(block.points(), "point") << ": "
            << counted(block.turns, "iteration") << " × " << block.copies
            << " unrolled × vectors of " << block.vector << "; register tile ";
  for (std::size_t d = 0; d < block.tile.size(); ++d)
    std::cout << (d ? "×" : "") << block.tile[d];
  std::cout << "\n  computes   ";
  for (std::size_t d = 0; d < block.computed.size(); ++d)
    std::cout << (d ? "×" : "") << block.computed[d].extent();
  std::cout << " elements per block, " << fixedText(block.redundancy() * 100, 1)
            << " % redundant\n";
}

void printGrid(const GridWaves &grid) {
  std::cout << "  grid       " << sizeText(grid.blocks) << " = " << counted(grid.all(), "block")
            << "; up to " << grid.resident() << " on each of "
            << counted(grid.multiprocessors, "multiprocessor") << ", " << grid.perWave()
            << " per wave: " << counted(grid.waves(), "wave");
  if (grid.tail() > 0)
    std::cout << (grid.waves() == 1 ? " of " : ", the last one of ")
              << counted(grid.tail(), "block");
  std::cout << "; " << fixedText(grid.filled() * 100, 1) << " % of the block slots filled\n";
}

Table accessTable(const std::vector<WarpPattern> &accesses) {
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"#", kRight},
               {"access"},
               {"array"},
               {"memory"},
               {"requests", kRight},
               {"sectors", kRight},
               {"lines", kRight},
               {"efficiency", kRight},
               {"passes", kRight}},
              {}};
  for (std::size_t a = 0; a < accesses.size(); ++a) {
    const WarpPattern &access = accesses[a];
    const bool isGlobal = access.load.space == cost::MemorySpace::Global;
    const bool isShared = access.load.space == cost::MemorySpace::Shared;
    table.rows.push_back({std::to_string(a + 1), access.load.isStore() ? "store" : "load",
                          access.array, std::string(name(access.load.space)),
                          lower(access.load.requests), isGlobal ? lower(access.load.sectors) : "",
                          isGlobal ? lower(access.load.lines) : "",
                          isGlobal ? fixedText(access.efficiency() * 100, 1) + " %" : "",
                          isShared ? lower(access.load.passes) : ""});
  }
  return table;
}

void printAddresses(const WarpPattern &access, std::size_t number) {
  std::cout << "\naccess " << number << ", " << (access.load.isStore() ? "store to " : "load of ")
            << access.array;
  if (!access.isInMemory()) {
    std::cout << ": kept in " << name(access.load.space) << ", so it has no addresses\n";
    return;
  }
  std::cout << ", the first warp";
  if (access.isChosen)
    std::cout << "; its addresses depend on data, and these are the first possible ones";
  std::cout << "\n";
  for (const block::LaneAccess &lane : access.lanes) {
    std::cout << "  lane " << lane.lane << "  " << access.array << "(";
    for (std::size_t d = 0; d < lane.at.size(); ++d)
      std::cout << (d ? ", " : "") << lane.at[d];
    std::cout << ")  byte " << lane.byte << "\n";
  }
}

class BlockPrinter {
public:
  BlockPrinter(const BlockOptions &options, const Schedule &schedule,
               const machine::Machine &machine)
      : m_options(options), m_schedule(schedule), m_machine(machine),
        m_prediction(cost::predict(schedule, machine)) {}

  int print() {
    const auto shown = shownOf(m_options, m_schedule, m_prediction);
    if (!shown) return fail(shown.error());
    const auto block = block::stageBlockOf(m_schedule, m_machine, m_prediction, shown->stage);
    if (!block) return fail(refusal("the stage is inlined, so it has no thread block", {}));
    if (m_options.access < 1 || m_options.access > block->accesses.size())
      return fail(refusal("the stage has no access " + std::to_string(m_options.access),
                          "The stage has " + std::to_string(block->accesses.size()) +
                              (block->accesses.size() == 1 ? " access." : " accesses.")));
    ThreadPlace thread{};
    std::ranges::copy(m_options.thread, thread.begin());
    for (std::size_t d = 0; d < thread.size(); ++d)
      if (thread[d] < 0 || thread[d] >= block->threads.threads[d])
        return fail(refusal("the block has no thread " + threadText(thread),
                            "The size of the block is " + sizeText(block->threads.threads) + "."));
    if (m_options.json)
      printJson(*shown, *block, thread);
    else
      printText(*shown, *block);
    return outputDone();
  }

private:
  int fail(const Error &error) const {
    return report(error, m_options.json ? ReportStyle::Json : ReportStyle::Text);
  }

  void printText(const Shown &shown, const StageBlock &block) const {
    const pipeline::Pipeline &pipeline = *m_schedule.pipeline();
    std::cout << m_schedule.base()->name() << " on " << m_machine.title << ", kernel "
              << shown.kernel + 1 << ": " << pipeline.stageName(shown.stage) << "\n";
    printThreads(block.threads);
    printGrid(block.grid);
    std::cout << "  stages     " << stageNames(m_schedule, m_prediction.kernels[shown.kernel])
              << "\n\n"
              << accessTable(block.accesses);
    printAddresses(block.accesses[m_options.access - 1], m_options.access);
  }

  void printJson(const Shown &shown, const StageBlock &block, const ThreadPlace &thread) const {
    const pipeline::Pipeline &pipeline = *m_schedule.pipeline();
    auto stages = ordered_json::array(), accesses = ordered_json::array(),
         handles = ordered_json::array();
    for (const cost::StageLoad &stage : m_prediction.kernels[shown.kernel].load.stages)
      stages.push_back(pipeline.stageName(stage.stage));
    for (std::size_t a = 0; a < block.accesses.size(); ++a)
      accesses.push_back(toJson(block.accesses[a], a + 1));
    for (const BlockHandle &handle : block::handlesOf(m_schedule, shown.stage))
      handles.push_back(toJson(handle, block::stopsOf(m_schedule, m_machine, shown.stage, handle)));
    ordered_json document{
        {"pipeline", m_schedule.base()->name()},
        {"machine", m_machine.name},
        {"kernel", pipeline.stageName(m_prediction.kernels[shown.kernel].load.stage)},
        {"number", shown.kernel + 1},
        {"stages", std::move(stages)},
        {"stage", pipeline.stageName(shown.stage)},
        {"block", toJson(block.threads)},
        {"owned", ownedToJson(block.threads, thread)},
        {"accesses", std::move(accesses)}};
    document["pattern"] = addressesToJson(block.accesses[m_options.access - 1]);
    document["pattern"]["access"] = m_options.access;
    document["grid"] = toJson(block.grid);
    document["handles"] = std::move(handles);
    std::cout << document.dump(2) << "\n";
  }

  const BlockOptions &m_options;
  const Schedule &m_schedule;
  const machine::Machine &m_machine;
  const Prediction m_prediction;
};

int showBlock(const BlockOptions &options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  FileOpener opener(options.schedule.file, invocation);
  const auto machine = host::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), style);
  const auto opened = openLegal(opener, options.schedule.schedule, *machine);
  if (!opened) return report(opened.error(), style);
  const Schedule &schedule = opened->sourced.schedule;
  return BlockPrinter(options, schedule, *machine).print();
}

} // namespace

void addBlock(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<BlockOptions>();
  CLI::App *command = cli.add_subcommand(
      "block", "Show the thread block of a stage: what each thread computes, which addresses a "
               "warp's loads and stores touch, and the waves of the grid");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option(
          "--kernel", options->kernel,
          "Kernel to show, by number or name; without this option, the one that takes longest")
      ->type_name("K");
  command
      ->add_option("--stage", options->stage,
                   "Stage to show; without this option, the one that owns the kernel's blocks")
      ->type_name("F");
  command
      ->add_option("--access", options->access,
                   "Number of the load or store whose addresses are printed")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--thread", options->thread, "With --json: thread whose elements are printed")
      ->type_name("X,Y,Z")
      ->delimiter(',')
      ->expected(3);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return showBlock(*options, invocation); };
  });
}

} // namespace tessera::app
