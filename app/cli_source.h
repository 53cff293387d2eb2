// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_open.h"
#include "engine/base/outcome.h"
#include "engine/document/schedule_source.h"
#include "engine/machine/machine.h"
#include "engine/measure/compile.h"
#include "engine/report/given_tolerance.h"

#include <string>

namespace tessera::app {

// A pipeline and one of its schedules, which most commands take.
struct ScheduleOptions {
  FileOptions file;
  std::string schedule;
};

void addScheduleOptions(CLI::App &command, ScheduleOptions &options);
void addTimeout(CLI::App &command, int &seconds);
// --tolerance. `given` must live as long as the command.
void addToleranceOption(CLI::App &command, report::GivenTolerance &given);
// "judged with --tolerance rel=0.001": to be said beside a verdict; empty if nothing was given.
std::string givenText(const report::GivenTolerance &given);

struct OpenedSchedule {
  open::OpenedPipeline opened;
  document::SourcedSchedule sourced;
};
Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word);
Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word,
                                    const open::OpenRequest &request);

// The schedule in the form that the compiler needs. A manual one is compiled from its own file.
measure::ScheduledPipeline scheduledPipeline(const OpenedSchedule &schedule);

// Like openSchedule(), but fails, with the reason, if the schedule is not legal on the machine.
Result<OpenedSchedule> openLegal(FileOpener &opener, const std::string &word,
                                 const machine::Machine &machine);
// Another schedule of the pipeline that was opened, which must be legal too.
Result<schedule::Schedule> legalSchedule(FileOpener &opener, const std::string &word,
                                         const open::OpenedPipeline &opened,
                                         const machine::Machine &machine);

// Prints the remarks on standard error, one line each.
void printRemarks(const std::vector<std::string> &remarks);

} // namespace tessera::app
