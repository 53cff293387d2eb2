// SPDX-License-Identifier: MIT
#include "app/cli_log.h"

#include "app/cli_report.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

struct LogFileHere {
  std::string path;
  fs::file_time_type written;
};

std::vector<LogFileHere> filesIn(const std::string &folder) {
  std::vector<LogFileHere> files;
  std::error_code failed;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".log")
      files.push_back({entry.path().string(), entry.last_write_time(failed)});
  std::ranges::sort(files, std::ranges::greater(), &LogFileHere::written);
  return files;
}

int showLogs(bool pathOnly, const Invocation &invocation) {
  const std::string folder = host::logFolder(invocation.tools);
  if (folder.empty())
    return report({ErrorCode::InputRefused, "There is no log.", "Set HOME to a folder of yours."},
                  ReportStyle::Text);
  if (pathOnly) {
    std::cout << folder << "\n";
    return outputDone();
  }
  const std::vector<LogFileHere> files = filesIn(folder);
  if (files.empty()) std::cerr << "tessera-cli: nothing has been written into " << folder << "\n";
  for (const LogFileHere &file : files)
    std::cout << file.path << "\n";
  return outputDone();
}

} // namespace

void addLog(CLI::App &cli, Command &run) {
  const auto pathOnly = std::make_shared<bool>(false);
  CLI::App *command =
      cli.add_subcommand("log", "List the log files of the explorer and the command line, latest "
                                "first; they contain no names from your files");
  command->add_flag("--path", *pathOnly, "Only print the folder of the log files");
  command->callback([pathOnly, &run] {
    run = [pathOnly](const Invocation &invocation) { return showLogs(*pathOnly, invocation); };
  });
}

} // namespace tessera::app
