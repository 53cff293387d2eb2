// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/text/text_header.h"

#include <string>
#include <string_view>

namespace tessera::schedule {

// What the header of a text says of a schedule: pipeline, register cap, promises. Machine, version
// and times are the caller's.
TextHeader headerOf(const Schedule &schedule);

// A whole schedule in C++ text, read against the pipeline that it was made for: directives and,
// from the header's comment, the register cap and the promises; the inverse of cppText(headerOf(s),
// lower(s)). A text without a header has Halide's cap and no promises.
Result<Schedule> scheduleFromCpp(pipeline::PipelinePtr pipeline, std::string_view text);

} // namespace tessera::schedule
