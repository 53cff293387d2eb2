// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/open/open.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// The meaning of the user's word for a schedule, on the command line and in the explorer:
//
//   default          the schedule that everything starts from (schedule::defaultSchedule)
//   manual           the manual schedule: in the file itself, else in NAME.manual.hlpipe beside
//                    NAME.hlpipe; for a generator, its own schedule
//   FILE.json        a file in the format of `export --format json`
//   FILE.schedule.h  C++ as Tessera exports it, or of the same form; also any other .h
//   current, 17      in a document: the current schedule, the candidate with this id
inline constexpr std::string_view kManual = "manual";
enum class ScheduleSource : std::uint8_t { Default, Manual, Json, Cpp, Current, Candidate };

struct ScheduleWord {
  ScheduleSource source = ScheduleSource::Default;
  std::string path;     // for Json and Cpp
  std::uint64_t id = 0; // for Candidate
};
Result<ScheduleWord> parseScheduleWord(std::string_view word);

struct SourcedSchedule {
  schedule::Schedule schedule;
  ScheduleSource source = ScheduleSource::Default;
  std::string from; // the file that it was read from; empty: it is from no other file
  // The opened file already contains this schedule, so it must not be applied again.
  bool inOpenedFile = false;
  // For a manual schedule: the file that has it. Compiled as it is, it is exactly what its author
  // wrote; decisions may say less.
  std::optional<open::PipelineFiles> written;
  std::vector<std::string> leftOut; // calls of a manual schedule that decisions cannot express
};

// Whether a schedule can be used on a machine, and what has to be said of it before. A manual
// schedule is its author's: where a rule only doubts it, that is a remark.
struct Judgement {
  bool isUsable = true;
  std::vector<std::string> remarks;
  std::vector<schedule::Violation> violations; // also those that a remark is about
};
Judgement judged(const SourcedSchedule &sourced, const machine::Machine &machine);
// The remarks alone; an error if the schedule cannot be used.
Result<std::vector<std::string>> remarksOn(const SourcedSchedule &sourced,
                                           const machine::Machine &machine);

// The schedule that `word` stands for, on a pipeline that was opened by `request`. Its legality is
// not checked. Blocking; run it as a job.
Result<SourcedSchedule> scheduleFrom(std::string_view word, const open::OpenRequest &request,
                                     const open::OpenedPipeline &opened,
                                     open::PipelineOpener &opener, std::stop_token stop = {},
                                     const job::ProgressCallback &progress = {});

// The schedule in `scheduled`, a file of the same algorithm, as a schedule of the unscheduled
// pipeline `plain`. If decisions cannot express some of its calls, the error lists those. Its
// legality is not checked.
Result<schedule::Schedule> scheduleIn(const open::OpenedPipeline &scheduled,
                                      const open::OpenedPipeline &plain,
                                      open::PipelineOpener &opener, std::stop_token stop = {},
                                      const job::ProgressCallback &progress = {});

} // namespace tessera::document
