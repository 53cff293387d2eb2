// SPDX-License-Identifier: MIT
#include "app/cli_source.h"

#include <iostream>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

Status requireLegal(const document::SourcedSchedule &sourced, const machine::Machine &machine) {
  const auto remarks = document::remarksOn(sourced, machine);
  if (!remarks) return remarks.error();
  printRemarks(*remarks);
  return Done{};
}

Result<document::SourcedSchedule> scheduleFrom(FileOpener &opener, const std::string &word,
                                               const open::OpenRequest &request,
                                               const open::OpenedPipeline &opened) {
  return opener.trying([&] {
    return document::scheduleFrom(word, request, opened, opener.opener(), opener.stop(),
                                  terminalProgress());
  });
}

} // namespace

void addScheduleOptions(CLI::App &command, ScheduleOptions &options) {
  addFileOptions(command, options.file);
  command
      .add_option(
          "--schedule", options.schedule,
          "The schedule: default; manual (the hand-written one, from NAME.manual.hlpipe beside "
          "NAME.hlpipe, from the file itself or from the generator); a file that ends in .json or "
          ".schedule.h; for a document also current, or the id of a candidate")
      ->required()
      ->type_name("S");
}

void addTimeout(CLI::App &command, int &seconds) {
  constexpr int kDay = 24 * 60 * 60;
  command.add_option("--timeout", seconds, "Give up after this many seconds")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, kDay).description(""))
      ->capture_default_str();
}

void addToleranceOption(CLI::App &command, report::GivenTolerance &given) {
  command
      .add_option_function<std::string>(
          "--tolerance",
          [&given](const std::string &text) {
            if (const auto read = report::givenToleranceFrom(text)) given = *read;
          },
          "Allow other differences of the outputs than those that follow from their types, such as "
          "rel=1e-3,abs=1,share=0.01: what a float may be off by as a part of its value, what any "
          "number may be off by, and how many of the elements may be further off; any of the three")
      ->type_name("rel=,abs=,share=")
      ->check([](const std::string &text) {
        const auto read = report::givenToleranceFrom(text);
        return read ? std::string() : read.error().message + " " + read.error().hint;
      });
}

std::string givenText(const report::GivenTolerance &given) {
  return given.isNothing() ? std::string() : "judged with --tolerance " + textOf(given);
}

Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word) {
  const auto request = opener.request();
  if (!request) return request.error();
  return openSchedule(opener, word, *request);
}

Result<OpenedSchedule> openSchedule(FileOpener &opener, const std::string &word,
                                    const open::OpenRequest &request) {
  // The word for a schedule is checked before the pipeline is opened, so that an invalid one is
  // reported at once.
  if (const auto known = document::parseScheduleWord(word); !known) return known.error();
  auto opened = opener.open(request, word);
  if (!opened) return opened.error();
  auto sourced = scheduleFrom(opener, word, request, *opened);
  if (!sourced) return sourced.error();
  return OpenedSchedule{std::move(*opened), std::move(*sourced)};
}

Result<OpenedSchedule> openLegal(FileOpener &opener, const std::string &word,
                                 const machine::Machine &machine) {
  auto opened = openSchedule(opener, word);
  if (!opened) return opened.error();
  if (const Status legal = requireLegal(opened->sourced, machine); !legal) return legal.error();
  return opened;
}

Result<schedule::Schedule> legalSchedule(FileOpener &opener, const std::string &word,
                                         const open::OpenedPipeline &opened,
                                         const machine::Machine &machine) {
  const auto request = opener.request();
  if (!request) return request.error();
  auto sourced = scheduleFrom(opener, word, *request, opened);
  if (!sourced) return sourced.error();
  if (const Status legal = requireLegal(*sourced, machine); !legal) return legal.error();
  return std::move(sourced->schedule);
}

measure::ScheduledPipeline scheduledPipeline(const OpenedSchedule &schedule) {
  const auto &[opened, sourced] = schedule;
  return sourced.written ? measure::writtenPipeline(*sourced.written, opened)
                         : measure::scheduledPipeline(opened.file, sourced.schedule);
}

void printRemarks(const std::vector<std::string> &remarks) {
  for (const std::string &remark : remarks)
    std::cerr << "tessera-cli: " << remark << "\n";
}

} // namespace tessera::app
