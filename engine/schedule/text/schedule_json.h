// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace tessera::schedule {

// A schedule as a document: settings, directives, and the marks of decisions. Reading needs the
// pipeline that it was made for. An error begins with the path of the member that is wrong, as in
// "directives[1].call: …", and of a text also with its line and column.
nlohmann::ordered_json toJson(const Schedule &schedule);
Result<Schedule> scheduleFromJson(pipeline::PipelinePtr pipeline, const nlohmann::json &document);
Result<Schedule> scheduleFromJsonText(pipeline::PipelinePtr pipeline, std::string_view text);

} // namespace tessera::schedule
