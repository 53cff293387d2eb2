// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_open.h"
#include "engine/base/outcome.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/document/schedule_source.h"

#include <string>

namespace tessera::app {

// A pipeline and one of its schedules: what most commands begin with.
struct ScheduleOptions {
  FileOptions file;
  std::string schedule;
};

void addScheduleOptions(CLI::App &command, ScheduleOptions &options);
void addTimeout(CLI::App &command, int &seconds);

struct OpenedSchedule {
  open::OpenedPipeline opened;
  document::SourcedSchedule sourced;
};
Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word);
Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word,
                                    const open::OpenRequest &request);

// As the compiler wants it.
measure::ScheduledPipeline scheduledPipeline(const OpenedSchedule &schedule);

// An error that says why where a schedule is not legal.
Status requireLegal(const schedule::Schedule &schedule, const machine::Machine &machine);

// On standard error, a line each.
void printRemarks(const std::vector<std::string> &remarks);

} // namespace tessera::app
