// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::schedule {

// A schedule as a document: settings, directives, and the marks of decisions. Reading needs the
// pipeline that it was made for; an unknown name is an error that quotes it.
nlohmann::ordered_json toJson(const Schedule &schedule);
Result<Schedule> scheduleFromJson(pipeline::PipelinePtr pipeline, const nlohmann::json &document);

} // namespace tessera::schedule
