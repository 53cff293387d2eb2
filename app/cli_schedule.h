// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_open.h"
#include "engine/base/outcome.h"
#include "engine/session/compile.h"
#include "engine/session/schedule_source.h"

#include <string>

namespace tessera::app {

// A pipeline and one of its schedules: what export, verify and compile begin with.
struct ScheduleOptions {
  FileOptions file;
  std::string schedule;
};

void addScheduleOptions(CLI::App &command, ScheduleOptions &options);
void addTimeout(CLI::App &command, int &seconds);

struct OpenedSchedule {
  session::OpenedPipeline opened;
  session::SourcedSchedule sourced;
};
Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word);

// As the compiler wants it.
session::ScheduledPipeline scheduledPipeline(const OpenedSchedule &schedule);

// What a request for it ended with.
Error errorOf(Outcome outcome, const Error &error);

// On standard error, a line each.
void printRemarks(const std::vector<std::string> &remarks);

} // namespace tessera::app
