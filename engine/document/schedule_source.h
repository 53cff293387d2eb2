// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"
#include "engine/open/open.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace tessera::document {

// What the user's word for a schedule means, on the command line and in the explorer:
//
//   default          what everything starts from (schedule::defaultSchedule)
//   manual           the one by hand: NAME.manual.hlpipe beside NAME.hlpipe, else what the file
//                    says itself; of a generator, its own
//   FILE.json        as `export --format json` writes it
//   FILE.schedule.h  C++, ours or in that shape; also any other .h
//   current, 17      of a document: the schedule that is current, the candidate of that id
enum class ScheduleSource : std::uint8_t { Default, Manual, Json, Cpp, Current, Candidate };

struct ScheduleWord {
  ScheduleSource source = ScheduleSource::Default;
  std::string path;     // of Json and Cpp
  std::uint64_t id = 0; // of Candidate
};
Result<ScheduleWord> parseScheduleWord(std::string_view word);

struct SourcedSchedule {
  schedule::Schedule schedule;
  ScheduleSource source = ScheduleSource::Default;
  std::string from; // the file that it was read from; empty for the default
  // The opened file is computed so already, and nothing may be performed on it again.
  bool inOpenedFile = false;
};

// The schedule that a word stands for on a pipeline that `request` opened. Not checked for
// legality. Blocking; run it as a job.
Result<SourcedSchedule> scheduleFrom(std::string_view word, const open::OpenRequest &request,
                                     const open::OpenedPipeline &opened,
                                     open::PipelineOpener &opener, std::stop_token stop = {},
                                     const job::ProgressCallback &progress = {});

// What a file of the same algorithm says beyond it, as a schedule of the pipeline that says
// nothing; refused, with the calls, where no decision stands for some. Not checked for legality.
Result<schedule::Schedule> scheduleIn(const open::OpenedPipeline &scheduled,
                                      const open::OpenedPipeline &plain,
                                      open::PipelineOpener &opener, std::stop_token stop = {},
                                      const job::ProgressCallback &progress = {});

} // namespace tessera::document
