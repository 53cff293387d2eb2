// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/text_header.h"
#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <string_view>

namespace tessera::schedule {

// The facts in the header of a text that follow from a schedule: pipeline, register cap, promises.
// The caller adds machine, version and times.
TextHeader headerOf(const Schedule &schedule);

// Reads a whole schedule from C++ text, for the pipeline that it was made for: its directives and,
// from the header's comment, the register cap and the promises. The inverse of cppText(headerOf(s),
// lower(s)). Without a header, the schedule gets Halide's default register cap and no promises.
Result<Schedule> scheduleFromCpp(pipeline::PipelinePtr pipeline, std::string_view text);

} // namespace tessera::schedule
