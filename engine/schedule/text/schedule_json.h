// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::schedule {

// A schedule as a document: settings, directives, and whose each decision is. Reading needs the
// pipeline that it was made for; a name that it does not have is an error that says which.
nlohmann::ordered_json toJson(const Schedule &schedule);
Result<Schedule> scheduleFromJson(pipeline::PipelinePtr pipeline, const nlohmann::json &document);

} // namespace tessera::schedule
