// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/text_header.h"
#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <string_view>

namespace tessera::schedule {

// The facts in the header of a text that follow from a schedule: pipeline, register cap, promises.
// The caller adds machine, version and times.
TextHeader headerOf(const Schedule &schedule);

// What the text of a schedule contains, with names that are the same in every build of its
// pipeline. The caller adds to the header as above.
WrittenSchedule writtenForm(const Schedule &schedule);

// Reads a whole schedule from C++ text, for the pipeline that it was made for, in any build: its
// directives and, from the header's comment, the register cap and the promises. The inverse of
// cppText(writtenForm(s)). Without a header, the schedule gets Halide's default register cap and no
// promises.
Result<Schedule> scheduleFromCpp(pipeline::PipelinePtr pipeline, std::string_view text);

} // namespace tessera::schedule
