// SPDX-License-Identifier: MIT
// tessera-cli: the functions of the explorer on the command line.

#include "app/cli_bench.h"
#include "app/cli_block.h"
#include "app/cli_choices.h"
#include "app/cli_compare.h"
#include "app/cli_compile.h"
#include "app/cli_completion.h"
#include "app/cli_explain.h"
#include "app/cli_export.h"
#include "app/cli_footprint.h"
#include "app/cli_inspect.h"
#include "app/cli_learn.h"
#include "app/cli_log.h"
#include "app/cli_machine.h"
#include "app/cli_occupancy.h"
#include "app/cli_peers.h"
#include "app/cli_report.h"
#include "app/cli_schedule.h"
#include "app/cli_tune.h"
#include "app/cli_verify.h"
#include "app/environment.h"
#include "engine/bench/program_version.h"
#include "engine/host/files.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

bool isIgnored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

// Ctrl+C, SIGTERM or a terminal that closes asks the running job to stop, so that it can end its
// workers and remove its files. A second signal ends this process at once, but not one that comes
// with the first: timeout(1) and batch systems signal the process and then its group. What nohup or
// a shell has this program ignore stays ignored.
void watchInterrupts(std::stop_source stop) {
  static constexpr std::chrono::milliseconds kSameRequest{300};
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!isIgnored(signal)) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, stop]() mutable {
    int signal = 0;
    sigwait(&signals, &signal);
    stop.request_stop();
    const auto asked = std::chrono::steady_clock::now();
    do {
      sigwait(&signals, &signal);
    } while (std::chrono::steady_clock::now() - asked < kSameRequest);
    std::_Exit(tessera::app::kCancelled);
  }).detach();
}

// The tools, with folders that are the user's own. Removes what killed runs have left there.
tessera::host::ToolPaths claimedTools() {
  using namespace tessera;
  host::ToolSearch search = app::toolSearch();
  search.folders = host::claimFolders(search);
  for (const std::string &problem : search.folders->problems)
    std::cerr << "tessera-cli: " << problem << "\n";
  host::sweepScratch(search.folders->cache);
  return host::findTools(search);
}

// Runs the command, with a log line before and after it.
int logged(std::string_view command, const tessera::app::Command &run,
           const tessera::app::Invocation &invocation) {
  using namespace tessera;
  using Clock = std::chrono::steady_clock;
  constexpr record::Word kCommands[] = {
      "inspect", "schedule", "explain", "export",    "verify",    "compile", "peers",   "bench",
      "compare", "tune",     "machine", "occupancy", "footprint", "block",   "choices", "learn"};
  const record::Record &record = invocation.tools.record;
  record.onTrouble([](const Error &error) {
    std::cerr << "tessera-cli: " << error.message << " " << error.hint << "\n";
  });
  const record::Word word = record::oneOf(command, kCommands);
  const auto start = Clock::now();
  record.write(record::Level::Info, "command began",
               {{"command", word}, {"version", record::Version(bench::programVersion())}});
  const int code = run(invocation);
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
  record.write(record::Level::Info, "command ended",
               {{"command", word}, {"exit_code", code}, {"ms", took}});
  return code;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App cli{"Explore GPU schedules of Halide pipelines on the command line.", "tessera-cli"};
  cli.set_version_flag("--version", "tessera-cli " TESSERA_VERSION);
  cli.require_subcommand(1);
  cli.get_formatter()->column_width(30);
  cli.footer("Exit codes: 0 done, 2 wrong usage, 3 input refused, 4 a worker or the system failed "
             "(a crash, a full disk), 5 an output is wrong, 6 undecided, 130 cancelled.");

  tessera::app::Command run;
  tessera::app::addInspect(cli, run);
  tessera::app::addSearch(cli, run);
  tessera::app::addExplain(cli, run);
  tessera::app::addChoices(cli, run);
  tessera::app::addExport(cli, run);
  tessera::app::addVerify(cli, run);
  tessera::app::addCompile(cli, run);
  tessera::app::addPeers(cli, run);
  tessera::app::addBench(cli, run);
  tessera::app::addCompare(cli, run);
  tessera::app::addTune(cli, run);
  tessera::app::addMachine(cli, run);
  tessera::app::addOccupancy(cli, run);
  tessera::app::addFootprint(cli, run);
  tessera::app::addBlock(cli, run);
  tessera::app::addLearn(cli, run);
  tessera::app::addLog(cli, run);
  cli.add_subcommand("completion",
                     "Print a completion script for bash (in zsh, run bashcompinit first)")
      ->callback([&] {
        run = [&](const tessera::app::Invocation &) {
          std::cout << tessera::app::bashCompletion(cli);
          return tessera::app::outputDone();
        };
      });

  // An unknown command is reported here, because the parser would only say that a command is
  // missing.
  const std::vector<CLI::App *> commands = cli.get_subcommands({});
  if (const std::string word = argc > 1 ? argv[1] : "-";
      !word.starts_with('-') && std::ranges::find(commands, word, [](const CLI::App *command) {
                                  return command->get_name();
                                }) == commands.end()) {
    std::cerr << "tessera-cli: there is no command '" << word << "'\n  there are:";
    for (const CLI::App *command : commands)
      std::cerr << ' ' << command->get_name();
    std::cerr << '\n';
    return tessera::app::kUsage;
  }
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // For the parser, help and version are "errors" with code 0.
    return cli.exit(error) == 0 ? tessera::app::outputDone() : tessera::app::kUsage;
  }
  std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error, as a full disk is
  const std::stop_source stop;
  watchInterrupts(stop);
  const std::string command = cli.get_subcommands().front()->get_name();
  // Shells run this when they start, so it looks for nothing and says nothing.
  if (command == "completion") return run({stop.get_token(), {}});
  tessera::app::Invocation invocation{stop.get_token(), claimedTools()};
  if (command == "log") return run(invocation); // nobody would look for it in the log
  invocation.tools.record =
      tessera::record::Record::open({tessera::host::logFolder(invocation.tools), "tessera-cli"});
  return logged(command, run, invocation);
}
